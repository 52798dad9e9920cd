/**
 * A load generator of its own process. Words: work, url, clients, seconds, a JSON file of people, and perhaps a rate. Each client asks
 * again as soon as it is answered; with a rate, so many requests begin each second whatever becomes of the others. Prints JSON.
 */
import { readFileSync } from "node:fs";
import { PASSWORD, type Person, quantile } from "./harness.ts";

const [work, url, clients, seconds, file, rate] = process.argv.slice(2);
const people: Person[] = JSON.parse(readFileSync(String(file), "utf8"));
const refreshTokens = new Map(people.map((person) => [person.email, person.refreshToken]));
const run = Math.random().toString(36).slice(2);
let strangers = 0;

function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function get(path: string, { accessToken }: Person): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
}

function stranger(): string {
  strangers += 1;
  return `stranger-${run}-${strangers}@example.test`;
}

async function refresh({ email }: Person): Promise<Response> {
  const cookie = `service_rt=${refreshTokens.get(email)}`;
  const response = await fetch(`${url}/v1/auth/refresh`, { method: "POST", headers: { cookie } });
  const next = /service_rt=([^;]+)/.exec(response.headers.getSetCookie().join(";"))?.[1];
  if (next) refreshTokens.set(email, next);
  return response;
}

/** What is asked, of this service and of the peer. */
const WORKS: Readonly<Record<string, (person: Person) => Promise<Response>>> = {
  login: ({ email }) => post("/v1/auth/login", { email, password: PASSWORD }),
  refresh,
  session: (person) => get("/v1/auth/session", person),
  signUp: () => post("/v1/auth/register", { organization_name: "Bench", email: stranger(), password: PASSWORD }),
  peerLogin: ({ email }) => post("/api/auth/sign-in/email", { email, password: PASSWORD }),
  peerSession: (person) => get("/api/auth/get-session", person),
  peerSignUp: () => post("/api/auth/sign-up/email", { name: "Bench", email: stranger(), password: PASSWORD }),
};

const ask = WORKS[String(work)];
if (!ask) throw new Error(`no such work: ${work}`);
const accepted: number[] = [];
const limited: number[] = [];
let withoutRetryAfter = 0;
let failed = 0;
let lastFailure = "";
const endsAt = performance.now() + Number(seconds) * 1000;

async function send(person: Person | undefined): Promise<void> {
  if (!ask || !person) throw new Error("nobody to be");
  const startedAt = performance.now();
  const response = await ask(person);
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

/** A client refreshes its own session; all else takes turns over all people. */
async function client(index: number): Promise<void> {
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    await send(work === "refresh" ? people[index] : people[(index + turn * Number(clients)) % people.length]);
  }
}

async function atRate(perSecond: number): Promise<void> {
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  while (performance.now() < endsAt) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (sent.length < due) sent.push(send(people[sent.length % people.length]));
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
  // What the last refresh left, so that the next run goes on from there.
  people: people.map((person) => ({ ...person, refreshToken: refreshTokens.get(person.email) })),
};
console.log(JSON.stringify(summary));
process.exit(0);
