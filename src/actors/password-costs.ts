/**
 * Owns: how long verifying a password takes at each cost of the stored hashes, on this replica. A refused password waits for the
 * slowest of them, so that time does not tell an imported account (bcrypt, scrypt, PBKDF2, other costs of Argon2) from an unknown one.
 * Told by: a poll of Postgres, which lists the costs; verifications of made-up hashes in the hash pool; and those that sign-ins ask for.
 * Bound: `PASSWORD_COSTS_MAX` costs, `PASSWORD_COST_SAMPLES_MAX` samples of each; one verification at a time.
 * A crash loses: the samples; start() measures anew.
 */
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import {
  PASSWORD_COST_MEASURE_MS,
  PASSWORD_COST_SAMPLE_MS,
  PASSWORD_COST_SAMPLES_MAX,
  PASSWORD_COST_SAMPLES_MIN,
  PASSWORD_COSTS_MAX,
  PASSWORD_COSTS_POLL_MS,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { configuredCost, type PasswordCost } from "../models/password/password.ts";
import { costOf, listPasswordCosts, sampleHash } from "../models/password/password-cost.ts";
import type { HashPool } from "../pool/pool.ts";

export interface PasswordCosts {
  /** Lists the costs and measures each once. Rejects when Postgres is away, and may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What one verification takes at the slowest cost, with a margin; 0 while all stored hashes are of the configured one. */
  slowestMs(): number;
  /** Notes how long the verification of a stored hash took: under load all take longer than they did alone. */
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

/** By cost (`password_cost` in SQL), oldest sample first. Empty while all hashes are of the configured cost. */
type Samples = Map<string, readonly Sample[]>;

/** The measuring jobs take turns with those of clients, as one more of them. */
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
    if (found.length === PASSWORD_COSTS_MAX) log.warn("password costs: there may be more than are measured");
    step(samples, configured, found);
  }

  /** A pool that is full or too slow leaves it to the next round. */
  async function measure(cost: string): Promise<void> {
    const hash = sampleHash(cost);
    const answer = hash && (await hashing.run({ kind: "verify", password: "nobody's password", hash }, FAIRNESS_KEY));
    if (answer?.ok && answer.kind === "verify") note(samples, cost, { at: clock.monotonic(), tookMs: answer.tookMs });
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
        onFailure: (error) => log.warn({ err: error }, "password costs could not be read; those at hand stay in use"),
      });
    },
    async stop() {
      await polling?.stop();
    },
    slowestMs: () => slowestOf(samples)?.takesMs ?? 0,
    observe(passwordHash, tookMs) {
      const cost = samples.size > 0 ? costOf(passwordHash) : undefined;
      if (cost !== undefined && samples.has(cost)) note(samples, cost, { at: clock.monotonic(), tookMs });
    },
  };
}

/** Samples of the costs that were found, and of the configured one, which the comparison for an unknown address has. */
export function step(samples: Samples, configured: string, found: readonly string[]): void {
  const wanted = new Set(found.some((cost) => cost !== configured) ? [...found, configured] : []);
  for (const cost of samples.keys()) if (!wanted.has(cost)) samples.delete(cost);
  for (const cost of wanted) if (!samples.has(cost)) samples.set(cost, []);
}

function note(samples: Samples, cost: string, sample: Sample): void {
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

/** What few of the next verifications exceed. */
function upperBound(known: readonly Sample[]): number {
  const sorted = known.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const quantile = sorted[Math.round(QUANTILE * (sorted.length - 1))];
  return quantile === undefined ? 0 : quantile * MARGIN_FACTOR + MARGIN_MS;
}
