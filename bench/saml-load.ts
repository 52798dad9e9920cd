/**
 * Browsers of employees of a company with an identity provider by SAML, in a separate process. Argument: JSON of
 * `SamlLoad`. Prints the p99 of the sign-ins in milliseconds of the service, as JSON.
 */

import { hostileMessages } from "../test/support/saml/hostile.ts";
import type { SamlKey } from "../test/support/saml/keys.ts";
import { encodeMessage } from "../test/support/saml/message.ts";
import { type ReceivedRequest, readRequest, respondTo } from "../test/support/saml/responses.ts";
import { quantile } from "./harness.ts";

export interface SamlLoad {
  /** `hostile`: clients post hostile documents without pause. `sign_in`: employees sign in, one after the other. */
  readonly kind: "hostile" | "sign_in";
  readonly url: string;
  readonly connectionId: string;
  readonly domain: string;
  readonly clients: number;
  readonly seconds: number;
  readonly key: SamlKey;
}

/** A form of 256 KiB in Base64: white space behind the root costs the reading of the form alone. */
const HOSTILE_BYTES = 192 * 1024 - 2;

if (import.meta.main) {
  const load: SamlLoad = JSON.parse(String(process.argv[2]));
  console.log(JSON.stringify(await (load.kind === "hostile" ? postHostile(load) : signIn(load))));
  process.exit(0);
}

interface Started {
  readonly request: ReceivedRequest;
  readonly cookie: string;
  readonly tookMs: number;
}

async function start({ url, connectionId }: SamlLoad): Promise<Started> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/auth/sso/${connectionId}/start`, { redirect: "manual" });
  await response.text();
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const request = readRequest(new URL(response.headers.get("location") ?? ""));
  return { request, cookie, tookMs: performance.now() - startedAt };
}

/**
 * Posts a form as a page of the identity provider does; `message` is encoded. Returns the address of the redirect;
 * undefined for 429, because a replica receives few large bodies of a network at once.
 */
async function post({ url, connectionId }: SamlLoad, relayState: string, message: string): Promise<string | undefined> {
  const response = await fetch(`${url}/v1/auth/sso/${connectionId}/acs`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `RelayState=${relayState}&${message}`,
  });
  await response.text();
  if (response.status === 429) return undefined;
  if (response.status !== 303) throw new Error(`the response to a message has the status ${response.status}`);
  return response.headers.get("location") ?? "";
}

function fieldOf(message: string): string {
  return new URLSearchParams({ SAMLResponse: message }).toString();
}

/** Each client has a live request, without which no message is parsed. The forms are encoded before the load. */
async function postHostile(load: SamlLoad): Promise<number[]> {
  const messages = hostileMessages().map(({ xml }) => fieldOf(encodeMessage(xml.padEnd(HOSTILE_BYTES))));
  const endsAt = performance.now() + load.seconds * 1000;
  let posted = 0;
  const client = async (index: number) => {
    const { request } = await start(load);
    for (let turn = index; performance.now() < endsAt; turn += 1) {
      if (await post(load, request.relayState, messages[turn % messages.length] ?? "")) posted += 1;
    }
  };
  await Promise.all(Array.from({ length: load.clients }, (_, index) => client(index)));
  return [posted / load.seconds];
}

/** The latency of a sign-in is the sum of its three requests; the identity provider takes no part. */
async function signIn(load: SamlLoad): Promise<number[]> {
  const times: number[] = [];
  for (const endsAt = performance.now() + load.seconds * 1000; performance.now() < endsAt; ) {
    const { request, cookie, tookMs } = await start(load);
    const email = `employee-${times.length % 20}@${load.domain}`;
    const message = respondTo(request, email, { signing: { key: load.key } });
    const postedAt = performance.now();
    const location = await post(load, request.relayState, fieldOf(message));
    const finished = await fetch(`${load.url}${location}`, { headers: { accept: "application/json", cookie } });
    await finished.text();
    if (!finished.ok) throw new Error(`a sign-in ended with the status ${finished.status}`);
    times.push(tookMs + performance.now() - postedAt);
  }
  return [quantile(times, 0.99), quantile(times, 0.5), times.length];
}
