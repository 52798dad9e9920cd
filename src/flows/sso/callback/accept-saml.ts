import { isLocalPath } from "../../../base/local-path.ts";
import { isOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { SAML_OUTCOME_LIFETIME_MS } from "../../../limits/saml-limits.ts";
import { consumeMessage } from "../../../models/sso-request/consumed-message.ts";
import {
  deleteNamedRequest,
  findNamedRequest,
  insertSamlOutcome,
  type NamedRequest,
} from "../../../models/sso-request/saml-outcome.ts";
import type { FormValue, SamlIdentity } from "../../../pool/saml-protocol.ts";
import { finishPath, startPath } from "../connections/urls.ts";
import { findUsable, isRoutable, type SamlConnection, type SsoDeps } from "../sign-in/connection.ts";
import type { AssertedIdentity } from "../sign-in/map-claims.ts";
import { mapSamlIdentity } from "../sign-in/map-saml.ts";
import { recordFailure, recordUnrequested } from "../sign-in/record-attempt.ts";
import { type SsoProblem, type SsoReason, ssoRefusal, ssoUnavailable, UNKNOWN_REQUEST } from "../sign-in/refusals.ts";
import { type SamlFailure, verifySamlResponse } from "../sign-in/verify-saml.ts";
import { type ReceivedValues, receivedAttributes } from "../tests/received-values.ts";
import { acceptedAge } from "./callback.ts";

export interface SamlPost {
  readonly connectionId: string;
  /** The form values; undefined: absent, or the form is larger than the bound. */
  readonly message: FormValue | undefined;
  readonly relayState: string | undefined;
  readonly client: RequestContext;
}

/** Where the browser continues. Without `path`, the response belongs to no request: the sign-in page. */
export interface SamlAccepted {
  readonly path?: string;
  readonly refused?: Refusal<SsoProblem>;
}

/** A verified response that waits for its browser. */
export type SamlOutcome =
  | {
      readonly kind: "identified";
      readonly state: string;
      readonly request: StoredRequest;
      readonly received: ReceivedValues;
      readonly asserted: AssertedIdentity;
    }
  | {
      readonly kind: "refused";
      readonly state: string;
      readonly request: StoredRequest;
      readonly reason: SsoReason;
      readonly cause: string | null;
      /** The request with the response, for the page of the refusal and `explain`. */
      readonly requestId: string | null;
    };

/** Times are text in JSON. */
type StoredRequest = Omit<NamedRequest, "browserHash" | "createdAt" | "expiresAt"> & {
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** A live request that the response names. */
interface Named {
  readonly connection: SamlConnection;
  readonly state: string;
  readonly request: NamedRequest;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/sso/:connection_id/acs (docs/contract.md, section 29.35): verifies a response. An accepted response
 * consumes the request and waits for the browser; a refused response leaves the request usable.
 */
export async function acceptSamlResponse(deps: SsoDeps, post: SamlPost): Promise<SamlAccepted> {
  const connection = findUsable(deps, post.connectionId);
  if (connection?.protocol !== "saml") return { refused: UNKNOWN_REQUEST };
  const { message, relayState, client } = post;
  const request = await findRequest(deps, connection, relayState);
  const isAdmitted = request?.intent === "test" || isRoutable(deps, connection);
  if (!isAdmitted) return { refused: UNKNOWN_REQUEST };
  if (!request || message === undefined || relayState === undefined) {
    return await restart(deps, connection, relayState, client);
  }
  const named: Named = { connection, state: relayState, request, client };
  if (request.connectionRevision !== connection.revision) return await refuse(deps, named, { reason: "state" });
  const maxAgeSeconds = acceptedAge(request) ?? null;
  const verified = await verifySamlResponse(deps, { connection, message, handle: relayState, maxAgeSeconds });
  if (verified.ok) return await accept(deps, named, verified.value);
  return verified.error.kind === "refused"
    ? await refuse(deps, named, verified.error)
    : { refused: notVerified(deps, verified.error) };
}

async function findRequest(
  deps: SsoDeps,
  connection: SamlConnection,
  relayState: string | undefined,
): Promise<NamedRequest | undefined> {
  if (!isOpaqueToken(relayState)) return undefined;
  const at = new Date(deps.clock.now());
  return await deps.database.run("sso_request.find_named", (sql) =>
    findNamedRequest(sql, relayState, connection.id, at),
  );
}

/** A response without a live request never signs a user in. The connection may begin a sign-in in its place. */
async function restart(
  deps: SsoDeps,
  connection: SamlConnection,
  relayState: string | undefined,
  client: RequestContext,
): Promise<SamlAccepted> {
  if (connection.config.idp_initiated === "restart" && !isOpaqueToken(relayState)) {
    const target = relayState !== undefined && isLocalPath(relayState) ? relayState : undefined;
    return { path: startPath(deps, connection.id, target) };
  }
  await recordUnrequested(deps, { connection, client, step: "request" }, "in_response_to");
  return { refused: { ...UNKNOWN_REQUEST, cause: "in_response_to" } };
}

/** The worker returned no result; the request stays usable. */
function notVerified(deps: SsoDeps, { code }: Extract<SamlFailure, { kind: "not_verified" }>): Refusal<SsoProblem> {
  return code === "queue_full"
    ? rateLimited("saml_queue", deps.samlPool.secondsToDrain(), "the queue of the workers is full")
    : ssoUnavailable(`the response was not verified: ${code}`);
}

async function refuse(
  deps: SsoDeps,
  { connection, state, request, client }: Named,
  { reason, cause = null }: { readonly reason: SsoReason; readonly cause?: string | null },
): Promise<SamlAccepted> {
  const { requestId } = client;
  const isTest = request.intent === "test";
  if (!isTest) await recordFailure(deps, { connection, client, step: "response" }, reason);
  const handle = makeOpaqueToken(deps.random);
  const content: SamlOutcome = { kind: "refused", state, request: stored(request), reason, cause, requestId };
  const outcome = { handle, request, content, expiresAt: outcomeEnd(deps) };
  if (isTest) {
    // A test ends with its first response.
    await deps.database.transaction("sso_outcome.insert", async (sql) => {
      await deleteNamedRequest(sql, state, connection.id);
      await insertSamlOutcome(sql, deps, outcome);
    });
  } else await deps.database.run("sso_outcome.insert", (sql) => insertSamlOutcome(sql, deps, outcome));
  const refused = { ...ssoRefusal(reason), cause: cause === null ? reason : `${reason}: ${cause}` };
  return { path: finishPath(deps, connection.id, { handle, state }), ...(isTest ? {} : { refused }) };
}

/** Consumes the request and the assertion together: each counts once, on every replica. */
async function accept(deps: SsoDeps, named: Named, identity: SamlIdentity): Promise<SamlAccepted> {
  const { connection, state, request, client } = named;
  const handle = makeOpaqueToken(deps.random);
  const content: SamlOutcome = {
    kind: "identified",
    state,
    request: stored(request),
    received: receivedAttributes(identity),
    asserted: mapSamlIdentity(connection.config, identity),
  };
  const assertion = { connectionId: connection.id, id: identity.assertionId, expiresAt: new Date(identity.expiresAt) };
  const accepted = await deps.database
    .transaction("sso_outcome.accept", async (sql) => {
      if (!(await deleteNamedRequest(sql, state, connection.id))) return "overtaken";
      if (!(await consumeMessage(sql, assertion))) throw new Replayed();
      await insertSamlOutcome(sql, deps, { handle, request, content, expiresAt: outcomeEnd(deps) });
      return "accepted";
    })
    .catch((error) => {
      if (error instanceof Replayed) return "replayed" as const;
      throw error;
    });
  if (accepted === "replayed") return await refuse(deps, named, { reason: "replayed" });
  return accepted === "accepted"
    ? { path: finishPath(deps, connection.id, { handle, state }) }
    : await restart(deps, connection, state, client);
}

/** Ends the transaction: the request stays usable. */
class Replayed extends Error {}

function outcomeEnd({ clock }: Pick<SsoDeps, "clock">): Date {
  return new Date(clock.now() + SAML_OUTCOME_LIFETIME_MS);
}

function stored({ browserHash: _, createdAt, expiresAt, ...request }: NamedRequest): StoredRequest {
  return { ...request, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
