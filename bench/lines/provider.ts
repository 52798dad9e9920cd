import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Costs, describeCosts, withCosts } from "../cpu.ts";
import {
  type Bench,
  createDatabase,
  fixed,
  median,
  type Row,
  type Running,
  registerAccounts,
  runJson,
  startProcess,
  startService,
  whole,
} from "../harness.ts";
import { CLIENT, insertClient, insertCodes } from "../oauth-codes.ts";
import type { PeerSetup } from "../oidc-provider/serve.ts";
import { type Request, sendRequests } from "../send-requests.ts";

const CONNECTIONS = 16;
/** Enough accounts that no account has more than a few dozen live authorizations of the application. */
const ACCOUNTS = 256;
/** Number of tokens that introspection and UserInfo receive in turn. */
const TOKENS = 64;
/** More codes than either provider exchanges in a second: the bare pool makes half as many pairs of signatures. */
const CODES_PER_SECOND = 2_000;
const SIGNATURES_GOAL = 0.6;
/** The goals relative to oidc-provider. */
const GOALS = { exchange: 3, introspect: 10, userinfo: 10 } as const;
const WORKS = Object.keys(GOALS) as (keyof typeof GOALS)[];

type Work = keyof typeof GOALS;

/** A provider under measurement. */
interface Side {
  readonly running: Running;
  readonly paths: Record<Work, string>;
  codes(count: number): Promise<readonly string[]>;
  /** The requests for introspection and UserInfo. */
  readonly requests: Record<Exclude<Work, "exchange">, readonly Request[]>;
}

interface Measured {
  readonly perSecond: number;
  readonly costs: Costs;
}

interface Round extends Record<Work, { readonly ours: Measured; readonly theirs: Measured }> {
  /** Exchanges of oidc-provider for an unsigned access token in the database. */
  readonly opaque: Measured;
  readonly signatures: number;
}

/** Line 15 measures this provider and oidc-provider on the same PostgreSQL and runtime, in alternating rounds. */
export async function providerLines(bench: Bench): Promise<Row[]> {
  const sides = [await startOurs(bench), await startTheirs(bench)] as const;
  const rounds: Round[] = [];
  for (let round = 0; round < bench.rounds; round += 1) rounds.push(await measureRound(bench, sides));
  await Promise.all(sides.map(({ running }) => running.stop()));
  const [exchange, ...reads] = WORKS.map((work) => besidePeer(work, rounds));
  return [...(exchange ? [exchange] : []), besideOpaque(rounds), besideSignatures(rounds), ...reads];
}

async function startOurs(bench: Bench): Promise<Side> {
  await insertClient(bench.databaseUrl);
  const running = await startService(bench);
  await registerAccounts(running.url, ACCOUNTS);
  const paths = { exchange: "/oauth2/token", introspect: "/oauth2/introspect", userinfo: "/oauth2/userinfo" };
  return await sideOf(running, paths, (count) => insertCodes(bench.databaseUrl, count));
}

async function startTheirs(bench: Bench): Promise<Side> {
  const setup: PeerSetup = {
    accounts: Array.from({ length: ACCOUNTS }, () => crypto.randomUUID()),
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    redirectUri: CLIENT.redirectUri,
    codeChallenge: createHash("sha256").update(CLIENT.verifier).digest("base64url"),
    scope: CLIENT.scopes.join(" "),
    resource: String(CLIENT.resources),
  };
  const file = join(tmpdir(), `identity-bench-oidc-provider-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(setup));
  const databaseUrl = await createDatabase(bench.databaseUrl, "oidc_provider");
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: "production" };
  const running = await startProcess("bench/oidc-provider/serve.ts", [file], env);
  rmSync(file);
  const paths = { exchange: "/token", introspect: "/token/introspection", userinfo: "/me" };
  return await sideOf(running, paths, async (count) => {
    return (await (await fetch(`${running.url}/bench/codes?count=${count}`, { method: "POST" })).json()) as string[];
  });
}

const BASIC = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64")}`;

async function sideOf(running: Running, paths: Side["paths"], codes: Side["codes"]): Promise<Side> {
  const tokens: string[] = [];
  for (const code of await codes(TOKENS)) {
    const { authorization, form } = exchangeOf(code, {});
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(`${running.url}${paths.exchange}`, { method: "POST", headers, body: form });
    const answer = (await response.json()) as Record<"access_token" | "refresh_token" | "id_token", string>;
    if (!answer.access_token || !answer.refresh_token || !answer.id_token) {
      throw new Error(`an exchange returned ${response.status}: ${JSON.stringify(answer)}`);
    }
    tokens.push(answer.access_token);
  }
  const introspect = tokens.map((token) => ({ authorization: BASIC, form: `token=${token}` }));
  const userinfo = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
  return { running, paths, codes, requests: { introspect, userinfo } };
}

/** With a resource, oidc-provider signs the access token too, as this service always does. */
const FOR_RESOURCE = { resource: String(CLIENT.resources) };

function exchangeOf(code: string, more: Readonly<Record<string, string>>) {
  const fields = { grant_type: "authorization_code", code, redirect_uri: CLIENT.redirectUri, ...more };
  const form = String(new URLSearchParams({ ...fields, code_verifier: CLIENT.verifier }));
  return { authorization: BASIC, form };
}

async function measureRound(bench: Bench, [ours, theirs]: readonly [Side, Side]): Promise<Round> {
  const seconds = Math.ceil(4 / bench.hurry);
  const compared = async (work: Work) => ({
    ours: await measure(bench, ours, work, seconds),
    theirs: await measure(bench, theirs, work, seconds),
  });
  const exchange = await compared("exchange");
  const opaque = await measureExchange(bench, theirs, seconds, {});
  const bare = await runJson<{ perSecond: number }>("bench/bare-pool.ts", ["sign", 2, CONNECTIONS, seconds]);
  return {
    exchange,
    opaque,
    introspect: await compared("introspect"),
    userinfo: await compared("userinfo"),
    signatures: bare.perSecond,
  };
}

async function measure(bench: Bench, side: Side, work: Work, seconds: number): Promise<Measured> {
  if (work === "exchange") return await measureExchange(bench, side, seconds, FOR_RESOURCE);
  return await send(bench, side, work, { seconds, requests: side.requests[work] });
}

async function measureExchange(bench: Bench, side: Side, seconds: number, more: Readonly<Record<string, string>>) {
  const codes = await side.codes(CODES_PER_SECOND * seconds);
  const requests = codes.map((code) => exchangeOf(code, more));
  return await send(bench, side, "exchange", { seconds, requests });
}

async function send(
  bench: Bench,
  side: Side,
  work: Work,
  { seconds, requests }: { readonly seconds: number; readonly requests: readonly Request[] },
): Promise<Measured> {
  const url = `${side.running.url}${side.paths[work]}`;
  const run = async () => ({ perSecond: sendRequests(url, seconds, CONNECTIONS, requests) });
  const { load, costs } = await withCosts(bench, side.running, seconds, run);
  return { perSecond: load.perSecond, costs };
}

const NAMES = { exchange: "exchange of a code", introspect: "introspection", userinfo: "UserInfo" };

function besidePeer(work: Work, rounds: readonly Round[]): Row {
  const ratio = median(rounds.map((round) => round[work].ours.perSecond / round[work].theirs.perSecond));
  const last = rounds.at(-1)?.[work];
  return {
    line: "15",
    work: `OpenID provider: ${NAMES[work]}, ${CONNECTIONS} clients`,
    measured: `${whole(median(rounds.map((round) => round[work].ours.perSecond)))}/s`,
    compared: `${whole(median(rounds.map((round) => round[work].theirs.perSecond)))}/s of oidc-provider`,
    ratio: `${fixed(ratio)} times`,
    goal: `at least ${GOALS[work]} times`,
    reached: ratio >= GOALS[work],
    score: ratio,
    ...(last ? { cpu: `${describeCosts(last.ours.costs)}; oidc-provider ${describeCosts(last.theirs.costs)}` } : {}),
  };
}

function besideOpaque(rounds: readonly Round[]): Row {
  const ratio = median(rounds.map((round) => round.exchange.ours.perSecond / round.opaque.perSecond));
  const last = rounds.at(-1);
  const theirs = whole(median(rounds.map((round) => round.opaque.perSecond)));
  return {
    line: "15",
    work: "the same exchange",
    measured: `${whole(median(rounds.map((round) => round.exchange.ours.perSecond)))}/s`,
    compared: `${theirs}/s of oidc-provider with opaque access tokens`,
    ratio: `${fixed(ratio)} times`,
    goal: `at least ${GOALS.exchange} times`,
    reached: ratio >= GOALS.exchange,
    score: ratio,
    ...(last ? { cpu: `oidc-provider ${describeCosts(last.opaque.costs)}` } : {}),
  };
}

/** An exchange signs two tokens. */
function besideSignatures(rounds: readonly Round[]): Row {
  const ratio = median(rounds.map((round) => round.exchange.ours.perSecond / (round.signatures / 2)));
  const pairs = whole(median(rounds.map((round) => round.signatures / 2)));
  return {
    line: "15",
    work: "the same exchange",
    measured: `${whole(median(rounds.map((round) => round.exchange.ours.perSecond)))}/s`,
    compared: `${pairs} pairs of RS256 signatures/s of the bare pool`,
    ratio: fixed(ratio),
    goal: `at least ${SIGNATURES_GOAL}`,
    reached: ratio >= SIGNATURES_GOAL,
    score: ratio,
  };
}
