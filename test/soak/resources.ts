/** Memory, descriptors and connections of processes over time. */
import { readdirSync } from "node:fs";
import type postgres from "postgres";
import { residentBytes } from "../support/memory.ts";
import type { Replica } from "../support/replica.ts";

export interface Sample {
  /** Minutes since the start of the measurement. */
  readonly minute: number;
  readonly memoryMib: number;
  readonly descriptors: number;
  readonly connections: number;
}

const MIB = 1024 * 1024;

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Measures a replica; `connections` are the connections to PostgreSQL of all replicas. */
export async function measure(replica: Replica, sql: postgres.Sql, minute: number): Promise<Sample> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  return {
    minute,
    memoryMib: residentBytes(replica.pid) / MIB,
    descriptors: descriptorsOf(replica.pid),
    connections: row?.count ?? 0,
  };
}

/** Returns the slope of a line of least squares through the samples, per hour. */
export function slopePerHour(samples: readonly Sample[], pick: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(pick))];
  const covariance = samples.reduce((sum, sample) => sum + (sample.minute - x) * (pick(sample) - y), 0);
  const variance = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return variance === 0 ? 0 : (60 * covariance) / variance;
}
