/** Sequential faults under load (G25, G26, G27, G27a, G173). The deployment is repaired at the end of each fault. */

import { DATABASE_DEADLINE_MS } from "../../src/limits/database-limits.ts";
import { startRedis } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import type { FaultDeployment } from "./deployment.ts";
import { hostFaults } from "./host-faults.ts";
import { Ledger } from "./ledger.ts";

export interface Scenario {
  readonly fault: string;
  /** True: no request may fail. */
  readonly unnoticed?: boolean;
  /** Injects the fault, holds the fault for a while, and repairs the deployment. */
  readonly inject: (stage: FaultDeployment, holdMs: number) => Promise<void>;
}

export interface Report {
  readonly fault: string;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly lost: readonly string[];
  readonly violations: readonly string[];
  readonly slowestMs: number;
  readonly recoveryMs: number;
  /** Results of the verifiers. */
  readonly verified: Ledger["verified"];
  /** The accepted sessions that a directory ended. */
  readonly deactivated: number;
}

const PEOPLE = 8;
/**
 * A fault that affects few requests proves too little: load continues until the number of requests before the fault and
 * in total reaches these bounds.
 */
const REQUESTS_BEFORE = 10;
const REQUESTS_IN_ALL = 51;

/** The duration of a fault, and the pause of each user between two requests, in milliseconds. */
export interface Pace {
  readonly holdMs: number;
  readonly pauseMs: number;
}

/** Runs load before, during and after a fault, then compares the ledger with the database. */
export async function play(
  stage: FaultDeployment,
  scenario: Scenario,
  { holdMs, pauseMs }: Pace,
  seed: number,
): Promise<Report> {
  const ledger = new Ledger();
  const replicas = stage.replicas.map((replica) => replica.url);
  const provisioned = await stage.provisionedUser();
  ledger.start({ url: stage.balancer.url, replicas, people: PEOPLE, provisioned, pauseMs, seed });
  await Bun.sleep(holdMs / 2);
  await until("there is load", async () => ledger.total >= REQUESTS_BEFORE);
  await scenario.inject(stage, holdMs);
  const recoveryMs = await stage.recovered();
  await until("verifiers hear the feed", () => ledger.areVerifiersReady());
  await Bun.sleep(holdMs / 2);
  await until("load goes on", async () => ledger.total >= REQUESTS_IN_ALL);
  await ledger.stop();
  stage.webhook.expect(ledger.histories);
  return {
    fault: scenario.fault,
    sent: ledger.total,
    failed: ledger.sent.failed,
    unknown: ledger.sent.unknown,
    lost: [...(await ledger.missing(stage.sql)), ...(await stage.mail.missing(stage.sql))],
    violations: ledger.violations,
    slowestMs: ledger.slowestMs,
    recoveryMs,
    verified: ledger.verified,
    deactivated: ledger.deactivated,
  };
}

/** Endpoints that respond without the database (G27a). */
const ANSWERS_ALONE = ["/healthz", "/.well-known/jwks.json", "/.well-known/service-revocations.json"];

async function answerAlone({ replicas: [replica] }: FaultDeployment): Promise<void> {
  for (const path of ANSWERS_ALONE) {
    const response = await fetch(`${replica?.url}${path}`, { signal: AbortSignal.timeout(1_000) });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status} while the database was frozen`);
  }
}

export const SCENARIOS: readonly Scenario[] = [
  {
    fault: "a replica gets SIGTERM",
    unnoticed: true,
    async inject(stage, holdMs) {
      await stage.replicas[0]?.stop();
      await Bun.sleep(holdMs);
      await stage.restartReplica(0);
    },
  },
  {
    fault: "a replica is killed (-9)",
    async inject(stage, holdMs) {
      await stage.replicas[0]?.kill();
      await Bun.sleep(holdMs);
      await stage.restartReplica(0);
    },
  },
  {
    fault: "both replicas are killed, and start at once",
    async inject(stage, holdMs) {
      await Promise.all(stage.replicas.map((replica) => replica.kill()));
      await Bun.sleep(holdMs);
      await Promise.all([stage.restartReplica(0), stage.restartReplica(1)]);
    },
  },
  {
    fault: "Redis is killed, and back empty",
    unnoticed: true,
    async inject(stage, holdMs) {
      await stage.redis.kill();
      await Bun.sleep(holdMs);
      await stage.redis.restart();
    },
  },
  {
    fault: "Redis is emptied",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redis.empty();
      await Bun.sleep(holdMs);
    },
  },
  {
    fault: "Redis is partitioned",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redisWire.drop();
      await Bun.sleep(holdMs);
      stage.redisWire.heal();
    },
  },
  {
    fault: "Redis is slow (500 ms)",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redisWire.delayMs = 250;
      await Bun.sleep(holdMs);
      stage.redisWire.heal();
    },
  },
  {
    fault: "Postgres crashes and restarts",
    async inject(stage, holdMs) {
      await stage.crashPostgres();
      await Bun.sleep(holdMs);
      await stage.startPostgres();
    },
  },
  {
    fault: "Postgres is frozen",
    async inject(stage, holdMs) {
      stage.signalPostgres("SIGSTOP");
      await Bun.sleep(holdMs / 2);
      await answerAlone(stage).finally(() => stage.signalPostgres("SIGCONT"));
    },
  },
  {
    fault: "Postgres has room for two connections",
    async inject(stage, holdMs) {
      await stage.limitConnections(2);
      await Bun.sleep(holdMs);
      await stage.limitConnections(-1);
    },
  },
  {
    fault: "Postgres has no connections left",
    async inject(stage, holdMs) {
      await stage.limitConnections(0);
      await Bun.sleep(holdMs);
      await stage.limitConnections(-1);
    },
  },
  {
    fault: "a table is locked",
    async inject(stage, holdMs) {
      await stage.sql.begin(async (sql) => {
        await sql`lock table sessions in access exclusive mode`;
        await Bun.sleep(holdMs);
      });
    },
  },
  {
    fault: "connections to Postgres are cut, again and again",
    async inject(stage, holdMs) {
      const endAt = performance.now() + holdMs;
      while (performance.now() < endAt) {
        stage.postgresWire.cut();
        await Bun.sleep(50);
      }
    },
  },
  {
    fault: "the host of Postgres is replaced without a reset",
    async inject(stage, holdMs) {
      stage.postgresWire.replaceHost();
      // The statements under way end at the deadline.
      await Bun.sleep(Math.max(holdMs, DATABASE_DEADLINE_MS));
    },
  },
  {
    fault: "Postgres is slow (100 ms)",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.postgresWire.delayMs = 50;
      await Bun.sleep(holdMs);
      stage.postgresWire.heal();
    },
  },
  {
    fault: "the host of Redis is replaced without a reset",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redisWire.replaceHost();
      await Bun.sleep(holdMs);
    },
  },
  {
    fault: "connections to Redis are cut, again and again",
    unnoticed: true,
    async inject(stage, holdMs) {
      const endAt = performance.now() + holdMs;
      while (performance.now() < endAt) {
        stage.redisWire.cut();
        await Bun.sleep(50);
      }
    },
  },
  {
    fault: "Redis becomes a replica (READONLY), and the address leads to another primary",
    unnoticed: true,
    async inject(stage, holdMs) {
      const primary = await startRedis();
      stage.redis.command("REPLICAOF", "127.0.0.1", String(primary.port));
      await Bun.sleep(holdMs / 2);
      stage.redisWire.target = primary.port;
      await Bun.sleep(holdMs / 2);
      await stage.recovered();
      stage.redis.command("REPLICAOF", "NO", "ONE");
      stage.redisWire.target = stage.redis.port;
      stage.redisWire.cut();
      await primary.kill();
    },
  },
  {
    fault: "Redis is full",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redis.command("CONFIG", "SET", "maxmemory", "1");
      await Bun.sleep(holdMs);
      stage.redis.command("CONFIG", "SET", "maxmemory", "0");
    },
  },
  {
    fault: "the user of Redis loses the keys (ACL)",
    unnoticed: true,
    async inject(stage, holdMs) {
      stage.redis.command("ACL", "SETUSER", "default", "resetkeys", "~elsewhere:*");
      await Bun.sleep(holdMs);
      stage.redis.command("ACL", "SETUSER", "default", "allkeys");
    },
  },
  ...hostFaults(),
  {
    fault: "Postgres fails over, and the former primary is a standby",
    inject: (stage, holdMs) => stage.failOverPostgres(holdMs),
  },
];
