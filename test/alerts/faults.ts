/** Faults of a deployment, and the alert that the runbook names for each fault. */

import type { FaultDeployment } from "../faults/deployment.ts";
import { SCENARIOS } from "../faults/scenarios.ts";
import { Client, newEmail, PASSWORD } from "../support/client.ts";
import type { MailProvider } from "../support/mail.ts";

export interface Stage {
  readonly deployment: FaultDeployment;
  readonly mail: MailProvider;
  /** The email address of an account with the password `PASSWORD`. */
  readonly email: string;
}

export interface AlertedFault {
  readonly fault: string;
  /** Undefined: the fault must not page an engineer. */
  readonly alert: string | undefined;
  /** True: the fault takes all cores, so no second fault runs concurrently. */
  readonly alone?: boolean;
  /** Injects the fault, holds the fault for a while, and repairs the deployment. */
  readonly happen: (stage: Stage, holdMs: number) => Promise<void>;
}

/** Faults of the fault suite, by the names in that suite. */
export const SUITE_FAULT_ALERTS: Readonly<Record<string, string | undefined>> = {
  "a replica gets SIGTERM": "IdentityReplicaDown",
  "a replica is killed (-9)": "IdentityReplicaDown",
  "both replicas are killed, and start at once": "IdentityNoReadyReplica",
  "Redis is killed, and back empty": "IdentityStateNotShared",
  "Redis is emptied": undefined,
  "Redis is partitioned": "IdentityStateNotShared",
  "Redis is slow (500 ms)": "IdentityStateNotShared",
  "Postgres crashes and restarts": "IdentityNoReadyReplica",
  "Postgres is frozen": "IdentityNoReadyReplica",
  "Postgres has no connections left": "IdentityNoReadyReplica",
  "a table is locked": "IdentityAvailability",
  "connections to Postgres are cut, again and again": "IdentityAvailability",
  "Redis is full": "IdentityStateNotShared",
  "the user of Redis loses the keys (ACL)": "IdentityStateNotShared",
};

/** Faults of the fault suite without an expected alert, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "Postgres has room for two connections":
    "none where each replica has one; IdentityRevocationsNotCurrent where one of them has both",
  "the host of Postgres is replaced without a reset": "ends within the deadline of a statement",
  "Postgres is slow (100 ms)": "the fault of 300 ms below is the same fault",
  "the host of Redis is replaced without a reset": "ends within the time-out of a command",
  "connections to Redis are cut, again and again": "the state is shared between two cuts",
  "Redis becomes a replica (READONLY), and the address leads to another primary": "ends with the first probe",
  "Postgres fails over, and the former primary is a standby": "changes the servers of the deployment for good",
  "the email server answers 535, 530 and 550 5.7.1": "the fault of the email provider below raises the alert",
  "the disk of Postgres is full": "needs the right to mount a file system",
  "the clock of a replica jumps two seconds ahead, four back, and two ahead": "no alert: tokens bear five seconds",
};

/** The freeze of the fault suite lasts for half of the given time. */
const HOLDS_HALF = "Postgres is frozen";

export const ALERTED_FAULTS: readonly AlertedFault[] = [
  { fault: "nothing happens", alert: undefined, happen: (_, holdMs) => Bun.sleep(holdMs) },
  ...SCENARIOS.filter(({ fault }) => !(fault in LEFT_OUT)).map(({ fault, inject }) => ({
    fault,
    alert: SUITE_FAULT_ALERTS[fault],
    happen: ({ deployment }: Stage, holdMs: number) => inject(deployment, fault === HOLDS_HALF ? 2 * holdMs : holdMs),
  })),
  {
    fault: "Postgres is slow (300 ms)",
    alert: "IdentityPostgresSlow",
    async happen({ deployment }, holdMs) {
      deployment.postgresWire.delayMs = 150;
      await Bun.sleep(holdMs);
      deployment.postgresWire.heal();
    },
  },
  {
    fault: "the email provider is away",
    alert: "IdentityMailLate",
    async happen({ mail, deployment, email }, holdMs) {
      const response = mail.answer;
      mail.answer = () => new Response("away", { status: 503 });
      await new Client(deployment.balancer.url).post("/v1/auth/password/forgot", { email }, { documented: false });
      await Bun.sleep(holdMs);
      mail.answer = response;
    },
  },
  {
    fault: "the email provider refuses emails",
    alert: "IdentityMailRefused",
    async happen({ mail, deployment, email }, holdMs) {
      const response = mail.answer;
      mail.answer = () => new Response("refused", { status: 422 });
      const endAt = performance.now() + holdMs;
      while (performance.now() < endAt) {
        await new Client(deployment.balancer.url).post("/v1/auth/password/forgot", { email }, { documented: false });
        await Bun.sleep(500);
      }
      mail.answer = response;
    },
  },
  {
    fault: "more sign-ins than the cores can hash",
    alert: "IdentityHashQueueNearBound",
    alone: true,
    happen: ({ deployment, email }, holdMs) =>
      crowd(64, holdMs, () => signIn(deployment.replicas[0]?.url ?? "", email, PASSWORD)),
  },
  {
    fault: "passwords are guessed",
    alert: "IdentitySignInFailuresSurge",
    happen: ({ deployment }, holdMs) =>
      crowd(3, holdMs, async () => {
        await signIn(deployment.balancer.url, newEmail(), "a guess");
        await Bun.sleep(100);
      }),
  },
];

async function signIn(url: string, email: string, password: string): Promise<void> {
  await new Client(url).post("/v1/auth/login", { email, password }, { documented: false }).catch(() => undefined);
}

/** Repeats `count` concurrent calls for the time of the fault. */
async function crowd(count: number, holdMs: number, act: () => Promise<void>): Promise<void> {
  const endAt = performance.now() + holdMs;
  const one = async () => {
    while (performance.now() < endAt) await act();
  };
  await Promise.all(Array.from({ length: count }, one));
}
