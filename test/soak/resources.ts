/** Memory, descriptors and connections of processes over time. */
import { readdirSync } from "node:fs";
import type postgres from "postgres";
import { residentBytes } from "../support/memory.ts";
import type { Replica } from "../support/replica.ts";
import { liveBytes } from "./live-memory.ts";

export interface Sample {
  /** Minutes since the start of the measurement. */
  readonly minute: number;
  /** The live objects of the main thread. */
  readonly liveMib: number;
  /** The resident memory of all threads after a collection of the garbage of the main thread. */
  readonly residentMib: number;
  readonly descriptors: number;
  readonly connections: number;
}

const MIB = 1024 * 1024;

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Measures a replica; `connections` are the connections to PostgreSQL of all replicas. */
export async function measure(replica: Replica, sockets: string, sql: postgres.Sql, minute: number): Promise<Sample> {
  const live = await liveBytes(sockets, replica.pid);
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  return {
    minute,
    liveMib: live / MIB,
    residentMib: residentBytes(replica.pid) / MIB,
    descriptors: descriptorsOf(replica.pid),
    connections: row?.count ?? 0,
  };
}

/** Samples of a window; the smallest value of a window is nearest to the memory after a collection of garbage. */
const WINDOW = 5;
/** Standard errors within which a slope is noise. */
const ERRORS_OF_NOISE = 2;
/** A larger correlation would hide every slope. */
const AUTOCORRELATION_MAX = 0.8;

export interface Trend {
  /** The slope of a line of least squares. */
  readonly perHour: number;
  /** The part of a rise that the noise of the samples does not explain; at most 0 for a series without a rise. */
  readonly certainPerHour: number;
}

/** Returns the trend of the smallest values of successive windows. */
export function trendOf(samples: readonly Sample[], pick: (sample: Sample) => number): Trend {
  const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, index) =>
    samples.slice(index * WINDOW, (index + 1) * WINDOW),
  );
  const points = windows.map((window) => ({
    x: mean(window.map(({ minute }) => minute)),
    y: Math.min(...window.map(pick)),
  }));
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const variance = sum(points.map((point) => (point.x - x) ** 2));
  if (points.length < 3 || variance === 0) return { perHour: 0, certainPerHour: 0 };
  const slope = sum(points.map((point) => (point.x - x) * (point.y - y))) / variance;
  const deviation = (point: { x: number; y: number }) => point.y - y - slope * (point.x - x);
  const residuals = sum(points.map((point) => deviation(point) ** 2));
  const error = Math.sqrt(residuals / (points.length - 2) / variance) * dependence(points.map(deviation));
  return { perHour: 60 * slope, certainPerHour: 60 * (slope - ERRORS_OF_NOISE * error) };
}

/**
 * The factor of the standard error for deviations that resemble their predecessors, as memory does: the effective
 * number of samples by the autocorrelation of lag 1 (Santer et al., J. Geophys. Res. 105, 2000).
 */
function dependence(deviations: readonly number[]): number {
  const total = sum(deviations.map((each) => each ** 2));
  if (total === 0) return 1;
  const products = deviations.slice(1).map((each, index) => each * (deviations[index] ?? 0));
  const correlation = Math.min(Math.max(sum(products) / total, 0), AUTOCORRELATION_MAX);
  return Math.sqrt((1 + correlation) / (1 - correlation));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
