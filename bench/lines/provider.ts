import { type Costs, describeCosts, meanCosts, withCosts } from "../cpu.ts";
import {
  type Bench,
  fixed,
  median,
  type Row,
  type Running,
  type RunningBesideEmptyRoute,
  registerAccounts,
  startServiceWithEmptyRoute,
  whole,
} from "../harness.ts";
import { type Algorithm, type BenchClient, CLIENTS, insertClients, insertCodes } from "../oauth-codes.ts";
import { type Request, sendRequests } from "../send-requests.ts";
import { startPeer } from "./provider-peer.ts";

const CONNECTIONS = 16;
/** Enough accounts that no account has more than a few dozen live authorizations of the application. */
const ACCOUNTS = 256;
/** Number of tokens that introspection and UserInfo receive in turn. */
const TOKENS = 64;
/** Rounds of a quick run too. A slow phase of the machine affects a read, the peer and the empty route alike. */
const READ_ROUNDS = 7;
const READ_SECONDS = 1;
/** Until the runtime has compiled the code of a read, the first round would be the slowest one. */
const READ_WARM_UP_SECONDS = 2;
/** More codes than either provider exchanges in a second: the bare pool makes half as many pairs of signatures. */
const CODES_PER_SECOND = 2_500;
/** Goals of the rate relative to oidc-provider, for exchanges with tokens of the same algorithm. */
const EXCHANGE_GOALS: Readonly<Record<Algorithm, number>> = { RS256: 1.8, ES256: 3, EdDSA: 3 };
const ES256_GOAL = 5;
/** Goals of the rate relative to oidc-provider, and to an empty POST route of the same process. */
const READ_GOALS = {
  introspect: { name: "introspection", peer: 5, emptyRoute: 0.5 },
  userinfo: { name: "UserInfo", peer: 4, emptyRoute: 0.35 },
} as const;

type Read = keyof typeof READ_GOALS;

/** A provider under measurement. */
interface Side<Process extends Running = Running> {
  readonly running: Process;
  readonly paths: Record<Read | "exchange", string>;
  codes(client: BenchClient, count: number): Promise<readonly string[]>;
  readonly requests: Record<Read, readonly Request[]>;
}

interface Sides {
  readonly ours: Side<RunningBesideEmptyRoute>;
  readonly theirs: Side;
}

interface Measured {
  readonly perSecond: number;
  readonly costs: Costs;
}

interface Compared {
  readonly ours: Measured;
  readonly theirs: Measured;
}

type ExchangeRound = Readonly<Record<Algorithm, Compared>>;

interface ReadRound {
  readonly read: Readonly<Record<Read, Compared>>;
  readonly emptyPostPerSecond: number;
}

/** Line 15 measures this provider and oidc-provider on the same PostgreSQL and runtime, in alternating rounds. */
export async function providerLines(bench: Bench): Promise<Row[]> {
  const sides: Sides = { ours: await startOurs(bench), theirs: await startTheirs(bench) };
  const exchangeRounds: ExchangeRound[] = [];
  for (let round = 0; round < bench.rounds; round += 1) exchangeRounds.push(await measureExchanges(bench, sides));
  const readRounds = await measureReads(bench, sides);
  await Promise.all([sides.ours.running.stop(), sides.theirs.running.stop()]);
  const exchanges = (Object.keys(EXCHANGE_GOALS) as Algorithm[]).map((algorithm) =>
    besidePeer(
      `OpenID provider: exchange of a code, ${algorithm}, ${CONNECTIONS} clients`,
      EXCHANGE_GOALS[algorithm],
      exchangeRounds.map((round) => round[algorithm]),
    ),
  );
  const reads = (Object.keys(READ_GOALS) as Read[]).flatMap((read) => {
    const { name, peer } = READ_GOALS[read];
    const compared = readRounds.map((round) => round.read[read]);
    return [
      besidePeer(`OpenID provider: ${name}, ${CONNECTIONS} clients`, peer, compared),
      besideEmptyRoute(read, readRounds),
    ];
  });
  return [...exchanges, algorithmRow(exchangeRounds), ...reads];
}

/** Section 18 of the design: signatures decide the rate of a provider with RS256. */
function algorithmRow(rounds: readonly ExchangeRound[]): Row {
  const rateOf = (round: ExchangeRound, algorithm: Algorithm) => round[algorithm].ours.perSecond;
  const ratio = median(rounds.map((round) => rateOf(round, "ES256") / rateOf(round, "RS256")));
  const rates = (algorithm: Algorithm) => whole(median(rounds.map((round) => rateOf(round, algorithm))));
  return {
    line: "15",
    work: "the same exchange, ES256 beside RS256",
    measured: `${rates("ES256")}/s`,
    compared: `${rates("RS256")}/s with RS256`,
    ratio: `${fixed(ratio)} times`,
    goal: `at least ${ES256_GOAL} times`,
    reached: ratio >= ES256_GOAL,
    score: ratio,
  };
}

async function startOurs(bench: Bench): Promise<Side<RunningBesideEmptyRoute>> {
  await insertClients(bench.databaseUrl);
  const running = await startServiceWithEmptyRoute(bench);
  await registerAccounts(running.url, ACCOUNTS);
  const paths = { exchange: "/oauth2/token", introspect: "/oauth2/introspect", userinfo: "/oauth2/userinfo" };
  return await sideOf(running, paths, (client, count) => insertCodes(bench.databaseUrl, client, count));
}

async function startTheirs(bench: Bench): Promise<Side> {
  const { running } = await startPeer(bench, ACCOUNTS);
  const paths = { exchange: "/token", introspect: "/token/introspection", userinfo: "/me" };
  return await sideOf(running, paths, async ({ id }, count) => {
    const response = await fetch(`${running.url}/bench/codes?client=${id}&count=${count}`, { method: "POST" });
    return (await response.json()) as string[];
  });
}

async function sideOf<Process extends Running>(
  running: Process,
  paths: Side["paths"],
  codes: Side["codes"],
): Promise<Side<Process>> {
  const client = CLIENTS.RS256;
  const authorization = basic(client);
  const tokens: string[] = [];
  for (const code of await codes(client, TOKENS)) {
    // Without a resource, the access tokens of oidc-provider are opaque; no other tokens are accepted by its endpoints.
    const { form } = exchangeOf(client, code, {});
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(`${running.url}${paths.exchange}`, { method: "POST", headers, body: form });
    const body = (await response.json()) as Record<"access_token" | "refresh_token" | "id_token", string>;
    if (!body.access_token || !body.refresh_token || !body.id_token) {
      throw new Error(`an exchange returned ${response.status}: ${JSON.stringify(body)}`);
    }
    tokens.push(body.access_token);
  }
  const introspect = tokens.map((token) => ({ authorization, form: `token=${token}` }));
  const userinfo = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
  return { running, paths, codes, requests: { introspect, userinfo } };
}

function basic({ id, secret }: BenchClient): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

function exchangeOf(client: BenchClient, code: string, more: Readonly<Record<string, string>>) {
  const fields = { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, ...more };
  const form = String(new URLSearchParams({ ...fields, code_verifier: client.verifier }));
  return { authorization: basic(client), form };
}

async function measureExchanges(bench: Bench, sides: Sides): Promise<ExchangeRound> {
  const seconds = Math.ceil(4 / bench.hurry);
  const exchange = async (algorithm: Algorithm) =>
    await compare(sides, (side) => measureExchange(bench, side, seconds, CLIENTS[algorithm]));
  return {
    RS256: await exchange("RS256"),
    ES256: await exchange("ES256"),
    EdDSA: await exchange("EdDSA"),
  };
}

async function measureReads(bench: Bench, sides: Sides): Promise<ReadRound[]> {
  const sendRead = async (side: Side, work: Read, seconds: number) =>
    await send(bench, side, work, { seconds, requests: side.requests[work] });
  for (const side of [sides.ours, sides.theirs])
    for (const work of Object.keys(READ_GOALS) as Read[]) await sendRead(side, work, READ_WARM_UP_SECONDS);
  const { emptyUrl } = sides.ours.running;
  const rounds: ReadRound[] = [];
  for (let round = 0; round < Math.max(bench.rounds, READ_ROUNDS); round += 1) {
    const read = async (work: Read) => await compare(sides, (side) => sendRead(side, work, READ_SECONDS));
    const introspect = await read("introspect");
    const emptyPosts = sendRequests(emptyUrl, READ_SECONDS, CONNECTIONS, sides.ours.requests.introspect);
    rounds.push({ read: { introspect, userinfo: await read("userinfo") }, emptyPostPerSecond: emptyPosts });
  }
  return rounds;
}

async function compare({ ours, theirs }: Sides, measure: (side: Side) => Promise<Measured>): Promise<Compared> {
  return { ours: await measure(ours), theirs: await measure(theirs) };
}

/** With a resource, oidc-provider signs the access token too, as this service always does. */
async function measureExchange(bench: Bench, side: Side, seconds: number, client: BenchClient): Promise<Measured> {
  const codes = await side.codes(client, CODES_PER_SECOND * seconds);
  const requests = codes.map((code) => exchangeOf(client, code, { resource: client.resource }));
  return await send(bench, side, "exchange", { seconds, requests });
}

async function send(
  bench: Bench,
  side: Side,
  work: keyof Side["paths"],
  { seconds, requests }: { readonly seconds: number; readonly requests: readonly Request[] },
): Promise<Measured> {
  const url = `${side.running.url}${side.paths[work]}`;
  const run = async () => ({ perSecond: sendRequests(url, seconds, CONNECTIONS, requests) });
  const { load, costs } = await withCosts(bench, side.running, seconds, run);
  return { perSecond: load.perSecond, costs };
}

function besidePeer(work: string, goal: number, rounds: readonly Compared[]): Row {
  const ratio = median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  const costs = (side: keyof Compared) => describeCosts(meanCosts(rounds.map((round) => round[side].costs)));
  return {
    line: "15",
    work,
    measured: `${whole(median(rounds.map(({ ours }) => ours.perSecond)))}/s`,
    compared: `${whole(median(rounds.map(({ theirs }) => theirs.perSecond)))}/s of oidc-provider`,
    ratio: `${fixed(ratio)} times`,
    goal: `at least ${goal} times`,
    reached: ratio >= goal,
    score: ratio,
    cpu: `${costs("ours")}; oidc-provider ${costs("theirs")}`,
  };
}

function besideEmptyRoute(work: Read, rounds: readonly ReadRound[]): Row {
  const { name, emptyRoute: goal } = READ_GOALS[work];
  const ratio = median(rounds.map(({ read, emptyPostPerSecond }) => read[work].ours.perSecond / emptyPostPerSecond));
  const emptyPosts = whole(median(rounds.map((round) => round.emptyPostPerSecond)));
  return {
    line: "15",
    work: `the same ${name}`,
    measured: `${whole(median(rounds.map(({ read }) => read[work].ours.perSecond)))}/s`,
    compared: `${emptyPosts}/s of an empty POST route of the same process`,
    ratio: fixed(ratio),
    goal: `at least ${goal}`,
    reached: ratio >= goal,
    score: ratio,
  };
}
