/**
 * A load generator of its own process. Words: login|refresh|session, url, clients, seconds, then a JSON file of people. Each client
 * asks again as soon as it is answered. Prints JSON.
 */
import { readFileSync } from "node:fs";
import { PASSWORD, type Person, quantile } from "./machinery.ts";

const [work, url, clients, seconds, file] = process.argv.slice(2);
const people: Person[] = JSON.parse(readFileSync(String(file), "utf8"));
const refreshTokens = new Map(people.map((person) => [person.email, person.refreshToken]));

function login({ email }: Person): Promise<Response> {
  const body = JSON.stringify({ email, password: PASSWORD });
  return fetch(`${url}/v1/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function refresh({ email }: Person): Promise<Response> {
  const cookie = `service_rt=${refreshTokens.get(email)}`;
  const response = await fetch(`${url}/v1/auth/refresh`, { method: "POST", headers: { cookie } });
  const next = /service_rt=([^;]+)/.exec(response.headers.getSetCookie().join(";"))?.[1];
  if (next) refreshTokens.set(email, next);
  return response;
}

function session({ accessToken }: Person): Promise<Response> {
  return fetch(`${url}/v1/auth/session`, { headers: { authorization: `Bearer ${accessToken}` } });
}

const ask = { login, refresh, session }[String(work)];
if (!ask) throw new Error(`no such work: ${work}`);
const latencies: number[] = [];
let refused = 0;
let lastRefusal = "";
const endsAt = performance.now() + Number(seconds) * 1000;
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, index) => {
    for (let turn = 0; performance.now() < endsAt; turn += 1) {
      // A client refreshes its own session; sign-ins take turns over all people.
      const person = people[(work === "refresh" ? index : index + turn * Number(clients)) % people.length];
      if (!person) throw new Error("nobody to be");
      const startedAt = performance.now();
      const response = await ask(person);
      await response.arrayBuffer();
      latencies.push(performance.now() - startedAt);
      if (response.status !== 200) {
        refused += 1;
        lastRefusal = `${response.status} after ${Math.round(performance.now() - startedAt)} ms`;
      }
    }
  }),
);
const summary = {
  perSecond: latencies.length / Number(seconds),
  medianMs: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
  refused,
  lastRefusal,
  // What the last refresh left, so that the next run goes on from there.
  people: people.map((person) => ({ ...person, refreshToken: refreshTokens.get(person.email) })),
};
console.log(JSON.stringify(summary));
process.exit(0);
