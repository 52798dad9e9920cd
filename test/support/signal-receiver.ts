/** A receiver of security events, based on `jose` alone, for polls and pushes. */
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";
import { testCertificate } from "./certificate.ts";
import { Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { ISSUER } from "./replica.ts";
import { accountsOf, keyOf, type MadeKey } from "./service-accounts.ts";
import { memberWith } from "./team.ts";
import { until } from "./waiting.ts";

export interface SecurityEvent extends JWTPayload {
  // biome-ignore lint/suspicious/noExplicitAny: tests read subjects and events of every shape.
  readonly sub_id: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members.
  readonly events: Record<string, any>;
}

export const typeOf = ({ events }: SecurityEvent) => Object.keys(events).map((uri) => uri.split("/").at(-1))[0];
export const bodyOf = ({ events }: SecurityEvent) => Object.values(events)[0];

/** Verifies a token as receivers must: signature by the published keys, `typ`, `iss`, `aud`. */
export function tokenVerifier(url: string) {
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
  return async (token: string, audience: string): Promise<SecurityEvent> => {
    const expected = { issuer: ISSUER, audience, typ: "secevent+jwt", algorithms: ["RS256"] };
    const { payload } = await jwtVerify(token, keys, expected);
    if (payload.sub !== undefined || payload.exp !== undefined) throw new Error("sub and exp must not be there");
    return payload as SecurityEvent;
  };
}

/** Returns a function that calls the service with an API key. */
export function keyCaller(url: string, key: string) {
  const client = new Client(url);
  return (method: string, path: string, body?: unknown) => client.request(method, path, { bearer: key, body });
}

/** Creates a service account of the owner's organization, and a key. */
export function receiverKeyOf(owner: { readonly client: Client; readonly organizationId: string }): Promise<MadeKey> {
  return keyOf(owner.client, accountsOf(owner.organizationId), ["ssf.manage"]);
}

/** Opens a new stream of the key's account. `poll` returns the received events, verified at the second replica. */
export async function openStream(at: Deployment, { key, accountId, id: keyId }: MadeKey, body: object) {
  const call = keyCaller(at.one.url, key);
  const created = await call("POST", "/v1/ssf/stream", body);
  if (created.status !== 201) throw new Error(`the stream returned ${created.status}: ${created.text}`);
  const id = String(created.body.stream_id);
  const verify = tokenVerifier(at.other.url);
  const verifyOf = async ([jti, token]: [string, string]) => {
    const event = await verify(token, accountId);
    if (event.jti !== jti) throw new Error(`the token of ${jti} is that of ${event.jti}`);
    return event;
  };
  const poll = async (responses: object = {}) => {
    const polled = await call("POST", `/v1/ssf/poll/${id}`, { returnImmediately: true, ...responses });
    if (polled.status !== 200) throw new Error(`the poll returned ${polled.status}: ${polled.text}`);
    const events = await Promise.all(Object.entries<string>(polled.body.sets).map(verifyOf));
    return { events, more: polled.body.moreAvailable as boolean };
  };
  return { id, accountId, keyId, key, call, poll, body: created.body };
}

/** Creates a new member of the organization and ends the member's session at the second replica. */
export async function endedSessionIn(at: Deployment, organizationId: string) {
  const member = await memberWith(at, organizationId, "member");
  await at.sql`update sessions set organization_id = ${organizationId} where id = ${member.sessionId}`;
  const { status } = await member.client.at(at.other.url).post("/v1/auth/logout");
  if (status !== 204) throw new Error(`the sign-out returned ${status}`);
  return member;
}

export interface Push {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string;
}

/**
 * Starts an HTTPS server that records pushes. `reply` computes the response; `attempt` counts the pushes to the path.
 */
export function startPushReceiver(reply: (push: Push, attempt: number) => Response | Promise<Response>) {
  const pushed: Push[] = [];
  const { key, cert } = testCertificate();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key, cert },
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const push = { path, headers: Object.fromEntries(request.headers), token: await request.text() };
      pushed.push(push);
      return await reply(push, pushed.filter((each) => each.path === path).length);
    },
  });
  const at = (path: string) => pushed.filter((push) => push.path === path);
  return {
    url: `https://127.0.0.1:${server.port}`,
    at,
    async received(path: string, count: number): Promise<readonly Push[]> {
      await until(`${count} pushes arrive`, async () => at(path).length >= count);
      return at(path);
    },
    stop: () => server.stop(true),
  };
}
