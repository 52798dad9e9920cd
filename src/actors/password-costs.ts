/**
 * Owns: the measured duration of a password verification at each cost of the stored hashes, on this replica. A refused
 * password waits for the slowest verification, so timing does not distinguish imported accounts (bcrypt, scrypt,
 * PBKDF2, other costs of Argon2) from unknown ones (G38).
 * Updated by: a poll of PostgreSQL, which lists the costs; verifications of sample hashes in the hash pool;
 * verifications of sign-ins (`observe`).
 * Bound: `PASSWORD_COSTS_MAX` costs, `PASSWORD_COST_SAMPLES_MAX` samples of each; one measurement at a time.
 * A crash loses: all samples; start() measures again.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import {
  PASSWORD_COST_MEASURE_MS,
  PASSWORD_COST_SAMPLE_MS,
  PASSWORD_COST_SAMPLES_MAX,
  PASSWORD_COST_SAMPLES_MIN,
  PASSWORD_COSTS_MAX,
  PASSWORD_COSTS_POLL_MS,
} from "../limits/account-limits.ts";
import { configuredCost, type PasswordCost } from "../models/password/password.ts";
import { costOf, listPasswordCosts, sampleHash } from "../models/password/password-cost.ts";
import type { HashPool } from "../pool/pool.ts";
import type { Logger } from "../telemetry/log.ts";

export interface PasswordCosts {
  /**
   * Lists the costs and measures each cost once. Rejects while PostgreSQL is unavailable; the caller may call start()
   * again.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Duration of a verification at the slowest cost, with a margin; 0 while all hashes have the configured cost. */
  slowestMs(): number;
  /**
   * Records the duration of the verification of a stored hash: under load, a verification takes longer than at the
   * measurement.
   */
  observe(passwordHash: string, tookMs: number): void;
}

export interface PasswordCostsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly hashing: Pick<HashPool, "run">;
  readonly log: Logger;
  readonly configured: PasswordCost;
}

interface Sample {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly tookMs: number;
}

/** By cost (`password_cost` in SQL), oldest sample first. Empty while all hashes have the configured cost. */
type Samples = Map<string, readonly Sample[]>;

/** The fairness key of measurements in the hash pool: measurements take turns with the jobs of clients. */
const FAIRNESS_KEY = "password-costs";
const QUANTILE = 0.9;
const MARGIN_FACTOR = 1.15;
const MARGIN_MS = 2;

export function passwordCosts(deps: PasswordCostsDeps): PasswordCosts {
  const { database, clock, hashing, log } = deps;
  const configured = configuredCost(deps.configured);
  const samples: Samples = new Map();
  let measuredAt = clock.monotonic();
  let polling: Loop | undefined;

  async function readCosts(): Promise<void> {
    const found = await database.run("user.list_password_costs", (sql) => listPasswordCosts(sql, PASSWORD_COSTS_MAX));
    if (found.length === PASSWORD_COSTS_MAX) log.warn("password costs: more costs are stored than are measured");
    step(samples, configured, found);
  }

  /** When the pool is full or too slow, the next round measures again. */
  async function measure(cost: string): Promise<void> {
    const hash = sampleHash(cost);
    const result =
      hash && (await hashing.run({ kind: "verify", password: "a password to measure with", hash }, FAIRNESS_KEY));
    if (result?.ok && result.kind === "verify")
      addSample(samples, cost, { at: clock.monotonic(), tookMs: result.tookMs });
  }

  async function round(): Promise<void> {
    await readCosts();
    for (const [cost, known] of samples) if (known.length < PASSWORD_COST_SAMPLES_MIN) await measure(cost);
    if (clock.monotonic() - measuredAt < PASSWORD_COST_MEASURE_MS) return;
    measuredAt = clock.monotonic();
    const slowest = slowestOf(samples);
    if (slowest) await measure(slowest.cost);
  }

  return {
    async start() {
      await round();
      polling ??= startLoop({
        pauseMs: PASSWORD_COSTS_POLL_MS,
        round,
        onFailure: (error) =>
          log.warn({ err: error }, "password costs could not be read; the last known ones stay in use"),
      });
    },
    async stop() {
      await polling?.stop();
    },
    slowestMs: () => slowestOf(samples)?.takesMs ?? 0,
    observe(passwordHash, tookMs) {
      const cost = samples.size > 0 ? costOf(passwordHash) : undefined;
      if (cost !== undefined && samples.has(cost)) addSample(samples, cost, { at: clock.monotonic(), tookMs });
    },
  };
}

/** Keeps samples of the found costs and of the configured cost, which applies to unknown addresses. */
export function step(samples: Samples, configured: string, found: readonly string[]): void {
  const wanted = new Set(found.some((cost) => cost !== configured) ? [...found, configured] : []);
  for (const cost of samples.keys()) if (!wanted.has(cost)) samples.delete(cost);
  for (const cost of wanted) if (!samples.has(cost)) samples.set(cost, []);
}

function addSample(samples: Samples, cost: string, sample: Sample): void {
  const known = samples.get(cost);
  if (!known) return;
  const recent = known.filter(({ at }) => sample.at - at < PASSWORD_COST_SAMPLE_MS);
  samples.set(cost, [...recent, sample].slice(-PASSWORD_COST_SAMPLES_MAX));
}

function slowestOf(samples: Samples): { readonly cost: string; readonly takesMs: number } | undefined {
  let slowest: { cost: string; takesMs: number } | undefined;
  for (const [cost, known] of samples) {
    const takesMs = upperBound(known);
    if (takesMs > (slowest?.takesMs ?? 0)) slowest = { cost, takesMs };
  }
  return slowest;
}

/** A duration exceeded by few of the next verifications. */
function upperBound(known: readonly Sample[]): number {
  const sorted = known.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const quantile = sorted[Math.round(QUANTILE * (sorted.length - 1))];
  return quantile === undefined ? 0 : quantile * MARGIN_FACTOR + MARGIN_MS;
}
