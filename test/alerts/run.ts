/**
 * `npm run test:alerts [-- <words of a fault>]` lets a real Prometheus scrape two replicas under injected faults. Each
 * fault must raise exactly the alert that docs/runbook.md names for the fault. Prints a table; exit code 1 if an alert
 * is missing or unexpected.
 */
import { FaultDeployment } from "../faults/deployment.ts";
import { registered } from "../support/client.ts";
import { MailProvider } from "../support/mail.ts";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { stopServices } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import { ALERTED_FAULTS, type AlertedFault, type Stage } from "./faults.ts";
import { machineHasTime, watchPressure } from "./pressure.ts";
import { startPrometheus } from "./prometheus.ts";
import { startTraffic } from "./traffic.ts";

/** Ten minutes in the time of Prometheus. */
const QUIET_MS = 20_000;
/** Twenty minutes in the time of Prometheus. */
const HOLD_MS = 40_000;
const LOOK_MS = 250;

/** The number of deployments that run faults concurrently. */
const LANES = 2;
const ATTEMPTS = 3;

watchRun();
endWithNpm();
const wanted = process.argv.slice(2).join(" ");
const faults = ALERTED_FAULTS.filter(({ fault }) => fault.includes(wanted));
let wrong = 0;
console.log("| Fault | Alert of the runbook | Fired | CPU awaited |\n| --- | --- | --- | --- |");
const queue = faults.filter(({ alone }) => !alone);
await Promise.all(Array.from({ length: Math.min(LANES, queue.length) }, () => runLane(queue)));
await runLane(faults.filter(({ alone }) => alone));
await stopServices();
process.exit(wrong > 0 ? 1 : 0);

/** Sets up a deployment and takes faults from the shared queue until the queue is empty. */
async function runLane(queue: AlertedFault[]): Promise<void> {
  if (queue.length === 0) return;
  const stage = await setStage();
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    if (!(await isRight(stage, fault))) wrong += 1;
  }
  await stage.deployment.teardown();
}

async function setStage(): Promise<Stage> {
  const mail = new MailProvider();
  const deployment = await FaultDeployment.set(undefined, {
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    // A hash takes some milliseconds, so that concurrent sign-ins fill the queue and do not block the serving thread.
    SERVICE_ARGON2_MEMORY_KIB: "19456",
    SERVICE_HASH_WORKERS: "1",
    SERVICE_HASH_QUEUE: "16",
  });
  await deployment.recovered();
  const { email } = await registered(deployment.balancer.url);
  return { deployment, mail, email };
}

/**
 * A busy machine is a separate fault: queries to PostgreSQL wait for CPU. A wrong result is repeated when the machine
 * is calm, and the table contains how long processes waited for CPU in each run.
 */
async function isRight(stage: Stage, fault: AlertedFault): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const waited = watchPressure();
    const fired = await alertsOf(stage, fault);
    const right = fired.join() === (fault.alert ?? "");
    const cells = [fault.fault, fault.alert ?? "none", fired.join(", ") || "none"];
    console.log(`| ${cells.join(" | ")}${right ? "" : " **wrong**"} | ${Math.round(100 * waited())} % |`);
    if (right || attempt === ATTEMPTS) return right;
    await machineHasTime();
  }
}

/** Returns the names of all alerts that fired between a quiet start and the recovery. */
async function alertsOf(stage: Stage, { happen }: AlertedFault): Promise<string[]> {
  await stage.deployment.recovered();
  await until("the outbox is empty", async () => {
    const [row] = await stage.deployment.sql`select count(*)::int as count from outbox`;
    if (row?.count) await stage.deployment.sql`update outbox set next_attempt_at = now()`;
    return row?.count === 0;
  });
  const { deployment } = stage;
  const replicas = () => deployment.replicas.map(({ url }) => url);
  const traffic = startTraffic(deployment.balancer.url, replicas, stage.email);
  await Bun.sleep(QUIET_MS / 4);
  const prometheus = await startPrometheus(stage.deployment.replicas.map(({ url }) => new URL(url).host));
  // Prometheus without history reports unready targets for the first moments.
  await Bun.sleep(QUIET_MS);
  const fired = new Set<string>();
  const looking = setInterval(() => {
    prometheus.firing().then(
      (names) => {
        for (const name of names) fired.add(name);
      },
      () => undefined,
    );
  }, LOOK_MS);
  await happen(stage, HOLD_MS);
  await stage.deployment.recovered();
  await Bun.sleep(QUIET_MS / 4);
  clearInterval(looking);
  await prometheus.stop();
  await traffic.stop();
  return [...fired].sort();
}
