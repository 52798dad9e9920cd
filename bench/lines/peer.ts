import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Account,
  alternate,
  type Bench,
  fixed,
  PASSWORD,
  type Row,
  registerAccounts,
  registerPeerAccounts,
  startProcess,
  startService,
  whole,
} from "../harness.ts";
import { type Load, load } from "../run-load.ts";
import { type Request, sendRequests, signInsOf } from "../send-requests.ts";

const CLIENTS = 16;
/** With this duration the sixteen requests in progress at the end do not matter. */
const SECONDS = 8;
const STORM_SECONDS = 5;
const STORM_TIMES_LOWER_MIN = 150;
/** Twice the number that the bare pool hashes. */
const SIGN_UPS_PER_SECOND = 400;
/** The duration of the warm-up of each operation on the two sides, while the runtime compiles the executed code. */
const WARM_UP_SECONDS = 5;

/** The first run installs the packages in this folder: no code outside of the benchmark needs better-auth. */
const PEER = join(import.meta.dir, "../better-auth");

function installedPeer(): string {
  if (!existsSync(join(PEER, "node_modules"))) {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: PEER, stdio: "ignore" });
  }
  return "bench/better-auth/serve.ts";
}

/** Lines 12 and 3 measure better-auth with the same Argon2id, PostgreSQL and runtime, in alternating rounds. */
export async function peerLines(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const peer = await startProcess(installedPeer(), [], { DATABASE_URL: bench.peerDatabaseUrl, NODE_ENV: "production" });
  const [accounts, peers] = await Promise.all([registerAccounts(service.url, 64), registerPeerAccounts(peer.url, 64)]);
  const ours = (work: string, clients: number, seconds: number) => load(work, service.url, clients, seconds, accounts);
  const theirs = (work: string, clients: number, seconds: number) => load(work, peer.url, clients, seconds, peers);
  const rateOf =
    (url: string, requests: (seconds: number) => readonly Request[]): Rate =>
    (seconds) =>
      sendRequests(url, seconds, CLIENTS, requests(seconds));
  const checksOf = (of: readonly Account[]) =>
    of.map(({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }));
  const rows = [
    await compare(bench, "sign-in, 16 clients", 1.05, {
      ours: rateOf(`${service.url}/v1/auth/login`, () => signInsOf(accounts)),
      theirs: rateOf(`${peer.url}/api/auth/sign-in/email`, () => signInsOf(peers)),
    }),
    await compare(bench, "session check, 16 clients", 25, {
      ours: rateOf(`${service.url}/v1/auth/session`, () => checksOf(accounts)),
      theirs: rateOf(`${peer.url}/api/auth/get-session`, () => checksOf(peers)),
    }),
    await compare(bench, "sign-up, 16 clients", 1.05, {
      ours: rateOf(`${service.url}/v1/auth/register`, (seconds) => signUps(seconds, { organization_name: "Bench" })),
      theirs: rateOf(`${peer.url}/api/auth/sign-up/email`, (seconds) => signUps(seconds, { name: "Bench" })),
    }),
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
type Rate = (seconds: number) => number;

/** Builds requests for new accounts, more than the service can create in that time. */
function signUps(seconds: number, more: object): Request[] {
  const run = Math.random().toString(36).slice(2);
  return Array.from({ length: seconds * SIGN_UPS_PER_SECOND }, (_, index) => ({
    json: { ...more, email: `stranger-${run}-${index}@example.test`, password: PASSWORD },
  }));
}

async function compare(
  bench: Bench,
  work: string,
  goal: number,
  { ours, theirs }: { readonly ours: Rate; readonly theirs: Rate },
): Promise<Row> {
  const seconds = SECONDS / bench.hurry;
  for (const each of [ours, theirs]) each(WARM_UP_SECONDS);
  const rate = await alternate(
    bench.rounds,
    async () => ours(seconds),
    async () => theirs(seconds),
  );
  return {
    line: "12",
    work,
    measured: `${whole(rate.a)}/s`,
    compared: `${whole(rate.b)}/s of better-auth`,
    ratio: fixed(rate.ratio),
    goal: `at least ${goal} times`,
    reached: rate.ratio >= goal,
    score: rate.ratio,
  };
}

async function storm(bench: Bench, ours: Measure, theirs: Measure): Promise<Row> {
  const p99 = await alternate(
    bench.rounds,
    async () => (await theirs()).p99Ms,
    async () => (await ours()).p99Ms,
  );
  return {
    line: "3",
    work: "p99 of a session check in a storm of 16 signing-in clients",
    measured: `${fixed(p99.b)} ms`,
    compared: `${fixed(p99.a)} ms of better-auth`,
    ratio: `${fixed(p99.ratio)} times lower`,
    goal: `at least ${STORM_TIMES_LOWER_MIN} times`,
    reached: p99.ratio >= STORM_TIMES_LOWER_MIN,
    score: p99.ratio,
  };
}

async function inStorm(signIns: Measure, checks: Measure): Promise<Load> {
  const storm = signIns();
  await Bun.sleep(1000);
  const checked = await checks();
  await storm;
  return checked;
}
