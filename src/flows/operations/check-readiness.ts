import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import { READINESS_DEADLINE_MS } from "../../limits/process-limits.ts";

/** GET /readyz (docs/contract.md, section 19.2). */
export interface Readiness {
  readonly ready: boolean;
  readonly status: "ok" | "degraded" | "unavailable" | "draining";
  readonly database: Check;
  readonly migrations: Check;
  readonly redis: Check;
  /** Keys of enabled providers whose settings cannot be applied. */
  readonly degradedProviders: readonly string[];
}

export interface Check {
  readonly status: "ok" | "degraded" | "unavailable" | "not_configured";
  readonly latencyMs: number | null;
}

export type ReadinessDeps = Pick<Deps, "health" | "state" | "clock" | "providerConfig" | "socialProviders">;

const UNAVAILABLE: Check = { status: "unavailable", latencyMs: null };

/**
 * A replica is ready after its start, unless it drains, PostgreSQL takes no writes or migrations are missing. Without
 * a Redis that takes writes the replica is `degraded` but ready, since sign-in, refresh and sign-out still work (G26).
 */
export async function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const [{ database, migrations }, redis] = await Promise.all([checkDatabase(deps), checkRedis(deps)]);
  const usable = deps.health.started() && database.status === "ok" && migrations.status === "ok";
  const degradedProviders = [...deps.providerConfig.degraded(), ...deps.socialProviders.degraded()];
  const checks = { database, migrations, redis, degradedProviders };
  if (deps.health.draining()) return { ready: false, status: "draining", ...checks };
  if (!usable) return { ready: false, status: "unavailable", ...checks };
  return { ready: true, status: redis.status === "degraded" ? "degraded" : "ok", ...checks };
}

async function checkDatabase({ health, clock }: Pick<Deps, "health" | "clock">) {
  const startedAt = clock.monotonic();
  try {
    const pending = await Promise.race([health.pendingMigrations(), timeOut()]);
    const latencyMs = elapsed(clock, startedAt);
    const migrations: Check = pending.length === 0 ? { status: "ok", latencyMs } : { status: "unavailable", latencyMs };
    return { database: { status: "ok", latencyMs } satisfies Check, migrations };
  } catch {
    return { database: UNAVAILABLE, migrations: UNAVAILABLE };
  }
}

async function timeOut(): Promise<never> {
  await sleep(READINESS_DEADLINE_MS);
  throw new Error(`the database did not respond within ${READINESS_DEADLINE_MS} ms`);
}

async function checkRedis({ health, state, clock }: Pick<Deps, "health" | "state" | "clock">): Promise<Check> {
  const shared = health.stateShared();
  if (shared === undefined) return { status: "not_configured", latencyMs: null };
  // A probe has a short deadline, and the state port reconnects by itself, so Redis is not tried here.
  if (!shared) return { status: "degraded", latencyMs: null };
  try {
    const startedAt = clock.monotonic();
    await state.ping();
    return { status: "ok", latencyMs: elapsed(clock, startedAt) };
  } catch {
    return { status: "degraded", latencyMs: null };
  }
}

function elapsed(clock: Deps["clock"], startedAt: number): number {
  return Math.round((clock.monotonic() - startedAt) * 100) / 100;
}
