/**
 * Owns: the key sets of external issuers of workloads, as last fetched, and the fetches in progress. Updated by:
 * requests. Bound: `ISSUER_KEY_SETS_MAX`, least recently used first out; `ISSUER_FETCHES_MAX` fetches, shared fairly by
 * the tenants. A crash loses: no data.
 */
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import type { Clock } from "../base/clock.ts";
import { fairSlots, hasFairSlot } from "../base/fair-slots.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  ISSUER_FETCHES_MAX,
  ISSUER_FETCHES_PER_HOST_MAX,
  ISSUER_FETCHES_PER_SLOW_HOST_MAX,
  ISSUER_KEY_SETS_MAX,
  ISSUER_KEYS_AGE_MS,
  ISSUER_KEYS_DEADLINE_MS,
  ISSUER_KEYS_MAX,
  ISSUER_KEYS_MAX_BYTES,
  ISSUER_KEYS_REFRESH_MS,
  ISSUER_KEYS_RETRY_MS,
  ISSUER_KEYS_STALE_MS,
  ISSUER_SLOW_AFTER_MS,
  ISSUER_SLOW_HOSTS_MAX,
} from "../limits/federation-limits.ts";
import { type JsonMembers, parseJsonObject } from "../vocabulary/json-object.ts";
import { isIssuerKey, withKnownMembers, withoutUse } from "../vocabulary/public-jwk.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";
import { type FetchedKeys, keySets } from "./key-sets.ts";

/** Thrown in place of a key: no keys of the issuer are known, so the signature is neither valid nor invalid. */
export class IssuerUnavailableError extends Error {}

/** The place of the keys of an issuer. */
export interface IssuerKeysRequest {
  readonly issuer: string;
  /** Null: found by OpenID discovery (OpenID Connect Discovery 1.0, section 4). */
  readonly jwksUri: string | null;
  /** The tenant: slow issuers of one tenant delay no other tenant. */
  readonly ownerId: string;
}

export interface IssuerKeySets {
  /** Finds the key of an assertion by its `kid`. The resolver throws `IssuerUnavailableError` without known keys. */
  find(request: IssuerKeysRequest): JWTVerifyGetKey;
}

export type IssuerKeySetsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve" | "proxy">;

/** Fetches the keys of issuers by checked connections: public addresses only, without redirects. */
export function issuerKeySets({ clock }: { readonly clock: Clock }, reach: IssuerKeySetsOptions): IssuerKeySets {
  const read = keyReader(reach);
  const slots = fairSlots({
    clock,
    slotsMax: ISSUER_FETCHES_MAX,
    receiverSlotsMax: ISSUER_FETCHES_PER_HOST_MAX,
    slowAfterMs: ISSUER_SLOW_AFTER_MS,
    slowReceiverSlotsMax: ISSUER_FETCHES_PER_SLOW_HOST_MAX,
    historyMax: ISSUER_SLOW_HOSTS_MAX,
  });
  const sets = keySets({
    clock,
    setsMax: ISSUER_KEY_SETS_MAX,
    ageMs: ISSUER_KEYS_AGE_MS,
    staleMs: ISSUER_KEYS_STALE_MS,
    refreshMs: ISSUER_KEYS_REFRESH_MS,
    pauseMs: (isHeld) => (isHeld ? ISSUER_KEYS_REFRESH_MS : ISSUER_KEYS_RETRY_MS),
    errorOf: (failure) =>
      new IssuerUnavailableError(failure.kind === "busy" ? "too many keys are fetched" : failure.cause),
  });

  async function fetchKeys(request: IssuerKeysRequest): Promise<FetchedKeys> {
    const user = { receiverId: new URL(request.jwksUri ?? request.issuer).host, ownerId: request.ownerId };
    if (!hasFairSlot(slots, user)) return err({ kind: "busy" });
    const fetched = await read(request).finally(slots.occupy(user));
    return fetched.ok ? fetched : err({ kind: "unavailable", cause: fetched.error.cause });
  }

  return { find: (request) => sets(`${request.issuer}\n${request.jwksUri ?? ""}`, () => fetchKeys(request)) };
}

type ReadKeys = Result<JSONWebKeySet, { readonly cause: string }>;

function keyReader(reach: IssuerKeySetsOptions): (request: IssuerKeysRequest) => Promise<ReadKeys> {
  const bounds = { deadlineMs: ISSUER_KEYS_DEADLINE_MS, maxBytes: ISSUER_KEYS_MAX_BYTES };
  const send = guardedPost({ ...reach, ...bounds });

  async function readJson(url: string): Promise<Result<JsonMembers, { readonly cause: string }>> {
    const sent = await send({ url, method: "GET", headers: { accept: "application/json" }, body: "" });
    if (!sent.ok) return sent;
    const { status, complete, body } = sent.value;
    if (status !== 200) return err({ cause: `the response has the status ${status}` });
    if (!complete) return err({ cause: `the response has more than ${ISSUER_KEYS_MAX_BYTES} bytes` });
    const document = parseJsonObject(body.toString());
    return document ? ok(document) : err({ cause: "the response is not a JSON object" });
  }

  return async ({ issuer, jwksUri }) => {
    const address = jwksUri === null ? await discover(readJson, issuer) : ok(jwksUri);
    if (!address.ok) return address;
    const document = await readJson(address.value);
    return document.ok ? readKeys(document.value) : document;
  };
}

type ReadJson = (url: string) => Promise<Result<JsonMembers, { readonly cause: string }>>;

/** The metadata must name the issuer exactly: a host may serve several issuers (OpenID Discovery, section 4.3). */
async function discover(readJson: ReadJson, issuer: string): Promise<Result<string, { readonly cause: string }>> {
  const metadata = await readJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (!metadata.ok) return metadata;
  const { issuer: named, jwks_uri: uri } = metadata.value;
  if (named !== issuer) return err({ cause: "the metadata names another issuer" });
  return typeof uri === "string" ? ok(uri) : err({ cause: "the metadata has no jwks_uri" });
}

function readKeys({ keys }: JsonMembers): ReadKeys {
  const listed = Array.isArray(keys) ? keys : [];
  if (listed.length > ISSUER_KEYS_MAX) return err({ cause: `the key set has more than ${ISSUER_KEYS_MAX} keys` });
  const usable = listed.filter(isIssuerKey).map((key) => withoutUse(withKnownMembers(key)));
  return usable.length === 0 ? err({ cause: "the key set has no keys" }) : ok({ keys: usable });
}
