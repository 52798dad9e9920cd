import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Account,
  type Bench,
  fixed,
  median,
  type Row,
  registerAccounts,
  registerPeerAccounts,
  startProcess,
  startService,
  whole,
} from "../harness.ts";
import { type Load, load } from "../run-load.ts";
import { sendRequests } from "../send-requests.ts";

const STORM_SECONDS = 5;
/** Of each operation, on both sides: the time that the runtime takes to compile what it runs. */
const WARM_UP_SECONDS = 5;

/** Its packages are installed here at the first run: nothing else needs them. */
const PEER = join(import.meta.dir, "../better-auth");

function installedPeer(): string {
  if (!existsSync(join(PEER, "node_modules"))) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: PEER, stdio: "ignore" });
  }
  return "bench/better-auth/serve.ts";
}

/** Lines 12 and 3: better-auth with the same Argon2id, PostgreSQL and runtime, in alternating rounds. */
export async function peerLines(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const peer = await startProcess(installedPeer(), [], { DATABASE_URL: bench.peerDatabaseUrl, NODE_ENV: "production" });
  const [accounts, peers] = await Promise.all([registerAccounts(service.url, 64), registerPeerAccounts(peer.url, 64)]);
  const ours = (work: string, clients: number, seconds: number) => load(work, service.url, clients, seconds, accounts);
  const theirs = (work: string, clients: number, seconds: number) => load(work, peer.url, clients, seconds, peers);
  const rate =
    (side: typeof ours, work: string): Rate =>
    async (seconds) =>
      (await side(work, 16, seconds)).perSecond;
  const checks =
    (url: string, of: readonly Account[]): Rate =>
    async (seconds) =>
      sendRequests(
        url,
        seconds,
        16,
        of.map(({ accessToken }) => ({ authorization: `Bearer ${accessToken}`, form: "" })),
      );
  const [ourChecks, theirChecks] = [
    checks(`${service.url}/v1/auth/session`, accounts),
    checks(`${peer.url}/api/auth/get-session`, peers),
  ];
  const rows = [
    await compare(bench, "sign-in, 16 clients", 1, rate(ours, "login"), rate(theirs, "peerLogin")),
    await compare(bench, "session check, 16 clients", 20, ourChecks, theirChecks),
    await compare(bench, "sign-up, 16 clients", 1, rate(ours, "signUp"), rate(theirs, "peerSignUp")),
    await storm(
      bench,
      async () =>
        await inStorm(
          () => ours("login", 16, STORM_SECONDS),
          () => ours("session", 1, 2),
        ),
      async () =>
        await inStorm(
          () => theirs("peerLogin", 16, STORM_SECONDS),
          () => theirs("peerSession", 1, 2),
        ),
    ),
  ];
  await Promise.all([service.stop(), peer.stop()]);
  return rows;
}

type Measure = () => Promise<Load>;
/** Operations per second. */
type Rate = (seconds: number) => Promise<number>;

async function compare(bench: Bench, work: string, goal: number, ours: Rate, theirs: Rate): Promise<Row> {
  const seconds = 4 / bench.hurry;
  for (const each of [ours, theirs]) await each(WARM_UP_SECONDS);
  const pairs = await inTurns(
    bench,
    () => ours(seconds),
    () => theirs(seconds),
  );
  const ratio = median(pairs.map(([a, b]) => a / b));
  return {
    line: "12",
    work,
    measured: `${whole(median(pairs.map(([a]) => a)))}/s`,
    compared: `${whole(median(pairs.map(([, b]) => b)))}/s of better-auth`,
    ratio: fixed(ratio),
    goal: `${goal} times`,
    reached: ratio >= goal,
    score: ratio,
  };
}

async function storm(bench: Bench, ours: Measure, theirs: Measure): Promise<Row> {
  const pairs = await inTurns(
    bench,
    async () => (await ours()).p99Ms,
    async () => (await theirs()).p99Ms,
  );
  const ratio = median(pairs.map(([a, b]) => b / a));
  return {
    line: "3",
    work: "p99 of a session check in a storm of 16 signing-in clients",
    measured: `${fixed(median(pairs.map(([a]) => a)))} ms`,
    compared: `${fixed(median(pairs.map(([, b]) => b)))} ms of better-auth`,
    ratio: `${fixed(ratio)} times lower`,
    goal: "15 times",
    reached: ratio >= 15,
    score: ratio,
  };
}

async function inStorm(signIns: Measure, checks: Measure): Promise<Load> {
  const storm = signIns();
  await Bun.sleep(1000);
  const checked = await checks();
  await storm;
  return checked;
}

async function inTurns(bench: Bench, a: () => Promise<number>, b: () => Promise<number>): Promise<[number, number][]> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < bench.rounds; round += 1) pairs.push([await a(), await b()]);
  return pairs;
}
