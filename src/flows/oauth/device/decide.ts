/** The decision of a user about the request of a device (RFC 8628, section 3.3). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import { DEVICE_APPROVAL_SIGN_IN_MAX_AGE_MS } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import { decideDeviceRequest, decidedEventIds } from "../../../models/oauth-device/device-code.ts";
import { allowGrant, insertCode, lockAuthorizingSession } from "../../../models/oauth-grant/oauth-grant.ts";
import { subjectOf } from "../../../models/oauth-grant/subject.ts";
import { findFactors } from "../../../models/second-factor/second-factor.ts";
import {
  type EventRow,
  eventColumns,
  logChange,
  type SessionEvent,
  toEvent,
} from "../../../models/session/revocation.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { permitsClient } from "../../steps/sessions/organization-rules.ts";
import { disclosedDataOf } from "../claims/select-mappings.ts";
import { reaches, requiredAcr } from "../request/required-assurance.ts";
import { type FindDeviceRequestDeps, type FoundDevice, findClaimedDevice, NO_DEVICE } from "./find-request.ts";

export type DecideDeviceDeps = FindDeviceRequestDeps & Pick<Deps, "codeKey" | "random" | "revocations">;

export interface DecideDeviceInput {
  readonly session: SessionView;
  readonly id: string;
  readonly requestContext: RequestContext;
}

export interface ApproveDeviceInput extends DecideDeviceInput {
  /** The organization that the front end displayed; default: the organization of the session. */
  readonly displayedOrganizationId?: string | undefined;
}

const OTHER_ORGANIZATION = refusal("conflict", "The session has moved to another organization meanwhile.");

const NOT_PERMITTED = refusal("forbidden", "Your organization does not permit this device.");
const NOT_SERVED = refusal("forbidden", "The application is not available to your organization.");

/** The reason in the log of session events. */
const DECIDED = "device_decided";

/** The proof that a session lacks for an approval. */
type MissingProof = "passkey" | "recent_sign_in" | "second_factor";

const MISSING: Readonly<Record<MissingProof, Refusal<"mfa_required">>> = {
  recent_sign_in: refusal("mfa_required", "Sign in again, or present a second factor, to approve a device."),
  second_factor: refusal("mfa_required", "The application asks for a second factor."),
  passkey: refusal("mfa_required", "The application asks for a sign-in with a passkey."),
};

/** Whether a new sign-in gives the missing proof, and no step-up does. */
export function asksForSignIn(problem: Refusal): boolean {
  return problem === MISSING.recent_sign_in || problem === MISSING.passkey;
}

/**
 * Approves the device: records the consent, and inserts a code under the hash of the device code, in one statement. The
 * session must be in the displayed organization, and signed in or stepped up within
 * `DEVICE_APPROVAL_SIGN_IN_MAX_AGE_MS`.
 */
export async function approveDevice(
  deps: DecideDeviceDeps,
  input: ApproveDeviceInput,
): Promise<Result<FoundDevice, Refusal<"conflict" | "forbidden" | "mfa_required" | "not_found">>> {
  const found = await findClaimedDevice(deps, input);
  if (!found.ok) return found;
  if (!servesOrganization(found.value.client, input.session.organizationId)) return err(NOT_SERVED);
  if (!(await permitsDevice(deps, input.session, found.value))) return err(NOT_PERMITTED);
  const { displayedOrganizationId: displayed = input.session.organizationId } = input;
  if (displayed !== input.session.organizationId) return err(OTHER_ORGANIZATION);
  const missing = await missingProof(deps, found.value, input.session);
  if (missing) return err(MISSING[missing]);
  const events = await deps.database.run("oauth_device.approve", (sql) =>
    persistApproval(deps, sql, found.value, input),
  );
  await deps.revocations.announce(events);
  return events.length > 0 ? found : err(NO_DEVICE);
}

async function permitsDevice(deps: DecideDeviceDeps, session: SessionView, { client }: FoundDevice): Promise<boolean> {
  return session.policy?.deviceFlow !== false && (await permitsClient(deps, session, client));
}

/** Whether neither the sign-in nor a step-up of the session is recent enough for an approval. */
function signedInTooLongAgo({ clock }: Pick<Deps, "clock">, session: SessionView): boolean {
  const provenAt = Math.max(session.authTime, session.mfaVerifiedAt ?? 0);
  return provenAt < clock.now() - DEVICE_APPROVAL_SIGN_IN_MAX_AGE_MS;
}

/** The proof that the session lacks for an approval; undefined: the session may approve. */
async function missingProof(
  deps: Pick<Deps, "clock" | "database" | "oauthResources">,
  { request, client }: FoundDevice,
  session: SessionView,
): Promise<MissingProof | undefined> {
  if (signedInTooLongAgo(deps, session)) return "recent_sign_in";
  const { acr, ...requested } = request;
  const asked = acr === null ? {} : { acr: { value: acr, essential: false } };
  const required = requiredAcr(deps, client, { ...requested, ...asked });
  if (!required || reaches(session, required.value)) return undefined;
  const factors = await deps.database.run("mfa.find_factors", (sql) => findFactors(sql, session.userId));
  const least = required.essential ? required.value : required.least;
  // After a sign-in for this device a user who prefers another method gives weaker tokens.
  const isFresh = session.authTime >= request.createdAt.getTime();
  if (required.value === "phr" && (least === "phr" || (factors.hasPasskey && !isFresh))) return "passkey";
  if (session.aal === "aal2") return undefined;
  const isUnmet = least !== undefined && !reaches(session, least);
  return isUnmet || factors.hasAuthenticator ? "second_factor" : undefined;
}

/** The event of the decision; no event: the device no longer waits for the user. */
async function persistApproval(
  deps: DecideDeviceDeps,
  sql: Sql,
  { request, client }: FoundDevice,
  { session, requestContext }: DecideDeviceInput,
): Promise<SessionEvent[]> {
  const at = new Date(deps.clock.now());
  const { scopes, resources, expiresAt } = request;
  const { userId, organizationId, organizationBound, id: sessionId } = session;
  // A consent in a bound session counts in its organization only: the token family is the record.
  const asked = !organizationBound;
  const data = disclosedDataOf(deps, client, request);
  const grant = { id: deps.random.uuid(), userId, clientId: client.id, scopes, resources, data, at, asked };
  const event = userAuditEvent(deps, session, requestContext, {
    action: "oauth.device.approved",
    at,
    resource: { type: "oauth_client", id: client.id },
    metadata: { scope: scopes.join(" ") },
  });
  const [acting, decided] = [cte(sql, "acting"), cte(sql, "decided")];
  const [granted, issued] = [cte(sql, "granted"), cte(sql, "issued")];
  const decision = { id: request.id, userId, status: "approved", at } as const;
  const newCode = {
    codeHash: sql`${decided}.device_code_hash`,
    clientId: client.id,
    userId,
    sessionId,
    organizationId,
    redirectUri: null,
    codeChallenge: null,
    nonce: null,
    scopes,
    resources,
    subject: subjectOf(deps.codeKey, client, userId),
    data,
    dpopJkt: null,
    expiresAt,
  };
  const statement = withParts(sql, {
    acting: lockAuthorizingSession(sql, newCode, at, new Date(0)),
    decided: decideDeviceRequest(sql, decision, sql`from ${acting}`),
    granted: allowGrant(sql, grant, sql`from ${acting}, ${decided}`),
    issued: insertCode(sql, newCode, granted, acting, sql`, ${decided}`),
    audit: insertAudit(sql, event, sql`from ${issued}`),
    device: decidedEventIds(sql, decided),
    events: logChange(sql, cte(sql, "device"), DECIDED, at, expiresAt),
  });
  const rows = await sql<EventRow[]>`${statement} select ${eventColumns(sql)} from ${issued} cross join events e`;
  return rows.map(toEvent);
}

/** Declines the device: the next poll is `access_denied`. */
export async function denyDevice(
  deps: DecideDeviceDeps,
  input: DecideDeviceInput,
): Promise<Result<FoundDevice, Refusal<"not_found">>> {
  const found = await findClaimedDevice(deps, input);
  if (!found.ok) return found;
  const { request, client } = found.value;
  const at = new Date(deps.clock.now());
  const event = userAuditEvent(deps, input.session, input.requestContext, {
    action: "oauth.device.denied",
    at,
    resource: { type: "oauth_client", id: client.id },
  });
  const decision = { id: request.id, userId: input.session.userId, status: "denied", at } as const;
  const events = await deps.database.run("oauth_device.deny", async (sql) => {
    const decided = cte(sql, "decided");
    const statement = withParts(sql, {
      decided: decideDeviceRequest(sql, decision),
      audit: insertAudit(sql, event, sql`from ${decided}`),
      device: decidedEventIds(sql, decided),
      events: logChange(sql, cte(sql, "device"), DECIDED, at, request.expiresAt),
    });
    return (await sql<EventRow[]>`${statement} select ${eventColumns(sql)} from events e`).map(toEvent);
  });
  await deps.revocations.announce(events);
  return events.length > 0 ? found : err(NO_DEVICE);
}
