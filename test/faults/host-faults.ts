/** Faults of the hosts around the service: the email server, a disk and a clock (G448, G449). */
import { fakeClock } from "../support/fake-clock.ts";
import { mayMountSmallDisk, mountSmallDisk } from "../support/small-disk.ts";
import { CONFIGURATION_REPLIES } from "./mail-server.ts";
import type { Scenario } from "./scenarios.ts";

/** Within the difference that replicas and verifiers accept (docs/contract.md, section 20), in seconds. */
const JUMPS = [2, -2, 0] as const;

const REFUSED_MAIL: Scenario = {
  fault: "the email server answers 535, 530 and 550 5.7.1",
  unnoticed: true,
  async inject(stage, holdMs) {
    for (const reply of CONFIGURATION_REPLIES) {
      stage.mail.refuse(reply);
      await stage.mail.registerRefused(stage.balancer.url);
      await Bun.sleep(holdMs / CONFIGURATION_REPLIES.length);
    }
    stage.mail.refuse(undefined);
  },
};

const JUMPING_CLOCK: Scenario = {
  fault: "the clock of a replica jumps two seconds ahead, four back, and two ahead",
  unnoticed: true,
  async inject(stage, holdMs) {
    const clock = fakeClock();
    await stage.replicas[0]?.stop();
    await stage.restartReplica(0, clock.settings);
    for (const seconds of JUMPS) {
      clock.set(seconds);
      await Bun.sleep(holdMs / JUMPS.length);
    }
    await stage.replicas[0]?.stop();
    await stage.restartReplica(0);
    clock.remove();
  },
};

/** Needs a file system of its own. */
const FULL_DISK: Scenario = {
  fault: "the disk of Postgres is full",
  inject: (stage, holdMs) => stage.fillDisk(mountSmallDisk, holdMs),
};

export function hostFaults(): readonly Scenario[] {
  return [REFUSED_MAIL, JUMPING_CLOCK, ...(mayMountSmallDisk() ? [FULL_DISK] : [])];
}
