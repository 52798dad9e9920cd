import { invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { SAML_RELAY_STATE_MAX_CHARACTERS, SAML_REQUEST_ID_BYTES } from "../../../limits/saml-limits.ts";
import type { BoundFamilies } from "../../../models/oauth-grant/bound-grant.ts";
import { findNamedSubjects, hashName } from "../../../models/session/session-name.ts";
import { consumeMessage } from "../../../models/sso-request/consumed-message.ts";
import type { ReceivedLogout, SamlLogout } from "../../../pool/saml-protocol.ts";
import { logoutResponse } from "../../../providers/saml/logout-messages.ts";
import { type CarriedMessage, carryMessage } from "../../../providers/saml/signed-message.ts";
import {
  type BoundSessionsEnd,
  endBoundSessions,
  endBoundSessionsIn,
} from "../../steps/sessions/end-bound-sessions.ts";
import { connectionUrls } from "../connections/urls.ts";
import { IDENTITY_PROVIDER } from "../sign-in/backchannel-logout.ts";
import { findUsable, type SamlConnection, type SsoDeps } from "../sign-in/connection.ts";
import { countLogout } from "../sign-in/count-logout.ts";
import { sessionIndexOf } from "../sign-in/map-claims.ts";
import { recordRefusedLogout } from "../sign-in/record-attempt.ts";
import { ssoUnavailable } from "../sign-in/refusals.ts";
import { currentKey, logoutTrustOf, signerOf } from "../sign-in/saml-party.ts";
import { NO_CONNECTION } from "../sign-in/start.ts";
import { type SamlFailure, verifyMessage } from "../sign-in/verify-saml.ts";

export interface LogoutMessage {
  readonly connectionId: string;
  readonly received: ReceivedLogout;
  readonly relayState: string | undefined;
  readonly client: RequestContext;
}

export type LogoutRefusal = Refusal<"internal_error" | "invalid_input" | "not_found" | "rate_limited">;

const PARAMETERS = { request: "SAMLRequest", response: "SAMLResponse" } as const;

/** One text for all flaws: the reason is for the administrators of the organization. */
function refusedLogout(kind: keyof typeof PARAMETERS, cause: string): Refusal<"invalid_input"> {
  return invalidInput(PARAMETERS[kind], "format", "not a signed logout message of this connection", cause);
}

/** A connection by SAML 2.0 that signs users in: also while the policy is `off`, so that sessions can end. */
export function findLogoutConnection(
  deps: Pick<SsoDeps, "ssoDirectory">,
  connectionId: string,
): SamlConnection | undefined {
  const connection = findUsable(deps, connectionId);
  return connection?.protocol === "saml" && connection.status === "active" ? connection : undefined;
}

/**
 * GET and POST …/:connection_id/slo with `SAMLRequest` (docs/contract.md, section 29.36): ends the bound sessions of a
 * name at the identity provider, and returns the signed response. Undefined: the identity provider has no address for a
 * response, or the connection has no key.
 */
export async function receiveLogoutRequest(
  deps: SsoDeps,
  { connectionId, received, relayState, client }: LogoutMessage,
): Promise<Result<CarriedMessage | undefined, LogoutRefusal>> {
  const connection = findLogoutConnection(deps, connectionId);
  if (!connection) return err(NO_CONNECTION);
  const { organizationId } = connection;
  const [trust, now] = [logoutTrustOf(deps, connection), deps.clock.now()];
  const verified = await verifyMessage(deps, organizationId, { kind: "logout_request", received, trust, now });
  if (!verified.ok) return err(await refuseLogout(deps, { connection, client, kind: "request" }, verified.error));
  const { logout } = verified.value;
  const counted = await countLogout(deps, connectionId, logout.id);
  if (!counted.ok) return counted;
  const ends = await sessionEnds(deps, connection, logout, client);
  if (!(await consumeAndEnd(deps, connection, logout, ends))) {
    const replayed = { kind: "refused", reason: "replayed" } as const;
    return err(await refuseLogout(deps, { connection, client, kind: "request" }, replayed));
  }
  for (const end of ends) await endBoundSessions(deps, end);
  deps.telemetry.metrics.ssoLogout("saml", "success");
  return ok(await respond(deps, connection, logout, relayState));
}

interface RefusedMessage {
  readonly connection: SamlConnection;
  readonly client: RequestContext;
  readonly kind: keyof typeof PARAMETERS;
}

type LogoutFailure = SamlFailure | { readonly kind: "refused"; readonly reason: "in_response_to" | "replayed" };

/** Records the reason for the administrators, and returns the problem. */
export async function refuseLogout(
  deps: SsoDeps,
  { connection, client, kind }: RefusedMessage,
  failure: LogoutFailure,
): Promise<LogoutRefusal> {
  if (failure.kind === "not_verified") {
    return failure.code === "queue_full"
      ? rateLimited("saml_queue", deps.samlPool.secondsToDrain(), "the queue of the workers is full")
      : ssoUnavailable(`the logout message was not verified: ${failure.code}`);
  }
  const { reason } = failure;
  await recordRefusedLogout(deps, { connection, client, step: "logout" }, reason);
  return refusedLogout(kind, reason);
}

/** The sessions that a request names, one item for each pair of subject and session index. */
async function sessionEnds(
  deps: SsoDeps,
  { id: connectionId, organizationId, config }: SamlConnection,
  { nameId, sessionIndexes }: SamlLogout,
  client: RequestContext,
): Promise<readonly BoundSessionsEnd[]> {
  const hash = hashName(nameId);
  const named = await deps.database.run("session.find_named_subjects", (sql) =>
    findNamedSubjects(sql, connectionId, hash),
  );
  // An identity keeps the first spelling of an address: a session by another spelling has the name beside the subject.
  const all = config.subject_from === null ? [hash, ...named] : named;
  const subjects = [...new Map(all.map((each) => [each.toString("hex"), each])).values()];
  const indexes = [...new Set(sessionIndexes.map(sessionIndexOf))];
  // An index beyond the bounds of stored indexes counts as absent: the request then ends all sessions of the name.
  const ended = indexes.length === 0 || indexes.includes(undefined) ? [undefined] : indexes;
  return subjects.flatMap((subjectHash) =>
    ended.map((sessionIndex) => {
      const sessions: BoundFamilies = { connectionId, organizationId, subjectHash, sessionIndex };
      return { sessions, reason: "idp_logout", actor: IDENTITY_PROVIDER, client } as const;
    }),
  );
}

/** Ends the first batches in the transaction that consumes the request: a request without an effect is not consumed. */
async function consumeAndEnd(
  deps: SsoDeps,
  { id: connectionId }: SamlConnection,
  { id, expiresAt }: SamlLogout,
  ends: readonly BoundSessionsEnd[],
): Promise<boolean> {
  const events = await deps.database.transaction("sso_logout.consume", async (sql) => {
    if (!(await consumeMessage(sql, { connectionId, id, expiresAt: new Date(expiresAt) }))) return undefined;
    const ended = [];
    for (const end of ends) ended.push(...(await endBoundSessionsIn(deps, sql, end)).events);
    return ended;
  });
  if (events) await deps.revocations.announce(events);
  return events !== undefined;
}

async function respond(
  deps: SsoDeps,
  connection: SamlConnection,
  { id: inResponseTo }: SamlLogout,
  relayState: string | undefined,
): Promise<CarriedMessage | undefined> {
  const { slo_url: destination, request_binding: binding } = connection.config;
  const signer = signerOf(deps, currentKey(connection));
  if (destination === null || !signer) return undefined;
  const { spEntityId } = connectionUrls(deps, connection.id);
  const id = `_${deps.random.bytes(SAML_REQUEST_ID_BYTES).toString("hex")}`;
  const message = logoutResponse({ id, issuedAt: deps.clock.now(), spEntityId, destination, inResponseTo });
  const isTooLong = (relayState?.length ?? 0) > SAML_RELAY_STATE_MAX_CHARACTERS;
  return await carryMessage(message, binding, isTooLong ? undefined : relayState, signer);
}
