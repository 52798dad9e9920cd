/**
 * Requests of other organizations beside a directory that creates users at its limit, for line 20. Two replicas share
 * the database: one serves the directory, and both receive the measured requests in turn. A slow moment of the machine
 * affects both, so the ratio shows what the directory costs the requests of its replica.
 */
import { type Directory, importOf, lookUpOf } from "./directories.ts";
import { type Bench, fixed, median, type Row, type Running, registerAccounts, startService } from "./harness.ts";
import { interleavedP99, type Target } from "./interleaved.ts";
import { sendTasks } from "./send-tasks.ts";

/** The limit `scim` of an organization (SERVICE_RATE_LIMIT_SCIM), in requests a second. */
const LIMIT_PER_SECOND = 100;
const CLIENTS = 16;
/** Thousands of samples for each p99. */
const MEASURED_SECONDS = 4;
/** The creations begin before the measurement and end after it. */
const LEAD_SECONDS = 1;
/** Rounds also in a quick run: the ratio of two p99 varies more between rounds than a rate. */
const ROUNDS = 7;
/** The p99 of another organization beside a directory at its limit, against the p99 of a replica without. */
const NEIGHBOUR_GOAL = 1.2;
/** The p99 of session checks beside such a directory, against the p99 of a replica without. */
const SESSIONS_GOAL = 1.1;

interface Round {
  readonly beside: number;
  readonly without: number;
}

/** `firstUser`: the number of the first created user. */
export async function neighbourRows(
  bench: Bench,
  { ours, few, databaseUrl }: { readonly ours: Directory; readonly few: Directory; readonly databaseUrl: string },
  firstUser: number,
): Promise<Row[]> {
  const quiet = await startService(bench, { DATABASE_URL: databaseUrl });
  const path = `/v1/scim/v2${lookUpOf(few, 0)[0]?.path}`;
  const lookUps = await measureBeside(ours, targets(ours, quiet, path, few.bearer), firstUser);
  const [account] = await registerAccounts(ours.running.url, 1);
  const checks = targets(ours, quiet, "/v1/auth/session", account?.accessToken ?? "");
  const sessions = await measureBeside(ours, checks, firstUser + ROUNDS * USERS);
  await quiet.stop();
  return [
    rowOf("look-ups of another organization", lookUps, NEIGHBOUR_GOAL),
    rowOf("session checks", sessions, SESSIONS_GOAL),
  ];
}

const USERS = LIMIT_PER_SECOND * (MEASURED_SECONDS + 2 * LEAD_SECONDS);
/** The users that both rows create. */
export const NEIGHBOUR_CREATIONS = 2 * ROUNDS * USERS;

function targets({ running }: Directory, quiet: Running, path: string, bearer: string): readonly Target[] {
  return [running, quiet].map(({ url }) => ({ url: `${url}${path}`, bearer }));
}

async function measureBeside(
  ours: Directory,
  measured: readonly Target[],
  firstUser: number,
): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  // Both replicas compile the executed code before the first round.
  await interleavedP99({ targets: measured, seconds: LEAD_SECONDS });
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = firstUser + round * USERS;
    const tasks = Array.from({ length: USERS }, (_, index) => importOf(ours, first + index).slice(-1));
    const creations = sendTasks({ ...ours, clients: CLIENTS, perSecond: LIMIT_PER_SECOND, tasks });
    await Bun.sleep(LEAD_SECONDS * 1000);
    const [beside = Number.NaN, without = Number.NaN] = await interleavedP99({
      targets: measured,
      seconds: MEASURED_SECONDS,
    });
    await creations;
    rounds.push({ beside, without });
  }
  return rounds;
}

function rowOf(requests: string, rounds: readonly Round[], goal: number): Row {
  const ratio = median(rounds.map(({ beside, without }) => beside / without));
  const p99 = (kind: keyof Round) => `p99 ${fixed(median(rounds.map((round) => round[kind])))} ms`;
  return {
    line: "20",
    work: `directory: ${requests} beside creations at the limit of a directory`,
    measured: p99("beside"),
    compared: `${p99("without")} of a replica without the directory, in turn`,
    ratio: fixed(ratio),
    goal: `at most ${goal} times`,
    reached: ratio <= goal,
    score: ratio,
  };
}
