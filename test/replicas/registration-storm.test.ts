/** A storm of registrations beside sign-ins (docs/contract.md, section 23.17). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { type OwnDeployment, ownDeployment } from "../support/deployment.ts";
import { residentBytes } from "../support/memory.ts";
import { attempts } from "../support/waiting.ts";

const NETWORKS = 50;
const REGISTRATIONS_PER_NETWORK = 10;
const SAMPLES = 40;
const MIB = 1024 * 1024;

let at: OwnDeployment;
let person: Awaited<ReturnType<typeof registered>>;
beforeAll(async () => {
  at = await ownDeployment({
    SERVICE_OAUTH_REGISTRATION: "open",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    SERVICE_RATE_LIMIT_SIGN_IN: "100000/60",
  });
  person = await registered(at.one.url);
});

/** Metadata near the bound of a stored client, in a body of nearly 60 KiB. */
function largeMetadata(n: number): object {
  const uri = (index: number) => `https://app-${n}.example.test/callback/${index}/${"x".repeat(430)}`;
  return {
    client_name: `Storm ${n}`,
    redirect_uris: Array.from({ length: 15 }, (_, index) => uri(index)),
    token_endpoint_auth_method: "none",
    note: "x".repeat(50_000),
  };
}

async function register(n: number, address: string): Promise<number> {
  const headers = { "x-forwarded-for": address };
  const { status } = await new Client(at.one.url).request("POST", "/oauth2/register", {
    headers,
    body: largeMetadata(n),
  });
  return status;
}

/** 500 applications of 50 networks, eight at a time. */
async function storm(first: number): Promise<number> {
  let next = 0;
  let created = 0;
  const worker = async () => {
    while (next < NETWORKS * REGISTRATIONS_PER_NETWORK) {
      const n = next;
      next += 1;
      const network = first + Math.floor(n / REGISTRATIONS_PER_NETWORK);
      if ((await register(n, `10.1.${network >> 8}.${network & 255}`)) === 201) created += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return created;
}

/** A third party that registers one application after the other, each from another network. */
function goOn(first: number) {
  let isStopped = false;
  let count = 0;
  const running = (async () => {
    for (let n = first; !isStopped; n += 1) {
      if ((await register(n, `10.2.${(n >> 8) & 255}.${n & 255}`)) === 201) count += 1;
    }
  })();
  return async () => {
    isStopped = true;
    await running;
    return count;
  };
}

async function timesOf(work: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const startedAt = performance.now();
    expect(await work()).toBe(200);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b);
}

const signIn = async () =>
  (await new Client(at.one.url).post("/v1/auth/login", { email: person.email, password: PASSWORD })).status;
const check = async () => (await person.client.get("/v1/auth/session")).status;
const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? 0;

describe("500 registrations of 50 networks, and a third party who goes on (G338)", () => {
  test("sign-ins take at most twice their time, session checks 50 ms, and the replica 300 MiB", async () => {
    let first = 0;
    await attempts(async () => {
      const atRest = median(await timesOf(signIn));
      first += NETWORKS;
      expect(await storm(first)).toBe(NETWORKS * REGISTRATIONS_PER_NETWORK);
      const stop = goOn(first * 1_000);
      const [beside, checks] = [median(await timesOf(signIn)), median(await timesOf(check))];
      const registrations = await stop();
      const mib = Math.round(residentBytes(at.one.pid) / MIB);
      expect(registrations).toBeGreaterThan(0);
      // The machine of a test run is busy: a sign-in at rest takes 6 to 25 ms.
      expect(beside).toBeLessThan(2 * atRest + 10);
      expect(checks).toBeLessThan(50);
      expect(mib).toBeLessThan(300);
    });
  });
});
