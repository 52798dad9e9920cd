/**
 * A load generator in a separate process. Arguments: operation, URL, clients, seconds, a JSON file of accounts, and
 * optionally a rate. Without a rate, each client sends the next request after a response (closed loop). With a rate,
 * this number of requests starts each second, independent of responses (open loop). Prints JSON.
 */
import { readFileSync } from "node:fs";
import { type Account, PASSWORD, quantile } from "./harness.ts";

const [work, url, clients, seconds, file, rate] = process.argv.slice(2);
const accounts: Account[] = JSON.parse(readFileSync(String(file), "utf8"));
const refreshTokens = new Map(accounts.map((account) => [account.email, account.refreshToken]));
const run = Math.random().toString(36).slice(2);
let created = 0;

function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function get(path: string, { accessToken }: Account): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
}

function newEmail(): string {
  created += 1;
  return `stranger-${run}-${created}@example.test`;
}

async function refresh({ email }: Account): Promise<Response> {
  const cookie = `service_rt=${refreshTokens.get(email)}`;
  const response = await fetch(`${url}/v1/auth/refresh`, { method: "POST", headers: { cookie } });
  const next = /service_rt=([^;]+)/.exec(response.headers.getSetCookie().join(";"))?.[1];
  if (next) refreshTokens.set(email, next);
  return response;
}

/** The requests of each operation, to this service and to the peer. */
const OPERATIONS: Readonly<Record<string, (account: Account) => Promise<Response>>> = {
  login: ({ email }) => post("/v1/auth/login", { email, password: PASSWORD }),
  refresh,
  session: (account) => get("/v1/auth/session", account),
  page: () => fetch(`${url}/sign-in`),
  signUp: () => post("/v1/auth/register", { organization_name: "Bench", email: newEmail(), password: PASSWORD }),
  peerLogin: ({ email }) => post("/api/auth/sign-in/email", { email, password: PASSWORD }),
  peerSession: (account) => get("/api/auth/get-session", account),
};

const ask = OPERATIONS[String(work)];
if (!ask) throw new Error(`unknown operation: ${work}`);
const accepted: number[] = [];
const limited: number[] = [];
let withoutRetryAfter = 0;
let failed = 0;
let lastFailure = "";
const endsAt = performance.now() + Number(seconds) * 1000;

async function send(account: Account | undefined): Promise<void> {
  if (!ask || !account) throw new Error("no account to send as");
  const startedAt = performance.now();
  const response = await ask(account);
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (response.status === 429) {
    limited.push(tookMs);
    if (!response.headers.has("retry-after")) withoutRetryAfter += 1;
  } else if (response.ok && text !== "null") accepted.push(tookMs);
  else {
    failed += 1;
    lastFailure = `${response.status} after ${Math.round(tookMs)} ms`;
  }
}

/** A client refreshes the client's session; the remaining operations rotate over all accounts. */
async function client(index: number): Promise<void> {
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    await send(work === "refresh" ? accounts[index] : accounts[(index + turn * Number(clients)) % accounts.length]);
  }
}

async function atRate(perSecond: number): Promise<void> {
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  while (performance.now() < endsAt) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (sent.length < due) sent.push(send(accounts[sent.length % accounts.length]));
    await Bun.sleep(2);
  }
  await Promise.all(sent);
}

if (rate === undefined) await Promise.all(Array.from({ length: Number(clients) }, (_, index) => client(index)));
else await atRate(Number(rate));
const summary = {
  perSecond: accepted.length / Number(seconds),
  medianMs: quantile(accepted, 0.5),
  p99Ms: quantile(accepted, 0.99),
  limited: limited.length,
  limitedP99Ms: quantile(limited, 0.99),
  withoutRetryAfter,
  failed,
  lastFailure,
  // The output contains the current refresh tokens, so that the next run can continue.
  accounts: accounts.map((account) => ({ ...account, refreshToken: refreshTokens.get(account.email) })),
};
console.log(JSON.stringify(summary));
process.exit(0);
