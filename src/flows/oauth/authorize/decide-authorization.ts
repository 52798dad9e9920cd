import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_SIGN_IN_VALID_MIN_MS } from "../../../limits/oauth-limits.ts";
import { type OAuthClient, servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import { asksEachTime } from "../../../models/oauth-client/provenance.ts";
import { findConsentWithin } from "../../../models/oauth-grant/bound-grant.ts";
import { type Consent, findConsent } from "../../../models/oauth-grant/oauth-grant.ts";
import { subjectOf } from "../../../models/oauth-grant/subject.ts";
import type { AuthorizationParameters, PendingRequest } from "../../../models/oauth-request/oauth-request.ts";
import { findNamedOrganization } from "../../../models/organization/organization.ts";
import { findApplicationStatus } from "../../../models/organization-application/organization-application.ts";
import { findFactors } from "../../../models/second-factor/second-factor.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { admitSession, permitsClient } from "../../steps/sessions/organization-rules.ts";
import { disclosedDataOf } from "../claims/select-mappings.ts";
import { findResource } from "../request/requested.ts";
import { reaches, requiredAcr } from "../request/required-assurance.ts";
import { grantableScopes, sensitiveScopes } from "../request/role-scopes.ts";
import { NOT_SERVED, type ServedOrganizationStep, servedOrganizationStep } from "./served-organization.ts";

export type DecideDeps = Pick<Deps, "clock" | "codeKey" | "config" | "database" | "oauthResources">;

/** The next step between a request and its code. */
export type Step =
  | { readonly kind: "code" }
  /** `again`: also of a user who is signed in. */
  | { readonly kind: "sign_in"; readonly again: boolean }
  /** The session moves to the organization that the application names. */
  | { readonly kind: "organization"; readonly organizationId: string }
  /** The application serves named organizations, and the session is in no such organization. */
  | ServedOrganizationStep
  | { readonly kind: "verify_email" }
  | { readonly kind: "step_up" }
  /** The organization admits approved applications only, and has not decided about the application. */
  | { readonly kind: "approval" }
  /** `scopes`: scopes without an earlier consent; empty if only the account is chosen. */
  | { readonly kind: "consent"; readonly ask: "scopes" | "account" }
  | { readonly kind: "refuse"; readonly refusal: OAuthRefusal };

export const LOGIN_REQUIRED = oauthRefusal("login_required", "The user is not signed in.");
/** Steps of a request whose session is no session of the requested organization. */
const SESSION_STEPS: ReadonlySet<Step["kind"]> = new Set(["sign_in", "organization", "refuse"]);
const NOT_IN_ORGANIZATION = oauthRefusal("access_denied", "The user is no member of the named organization.");
const NOT_PERMITTED = oauthRefusal("access_denied", "The organization of the user does not permit this.");
const CONSENT_REQUIRED = oauthRefusal("consent_required", "The user has not allowed this.");
const UNMET = oauthRefusal("unmet_authentication_requirements", "The user has no passkey that satisfies acr.");
const INTERACTION_REQUIRED = oauthRefusal("interaction_required", "The user must take a further step.");

/**
 * The next step of a valid request (docs/contract.md, section 23.4). With `prompt=none` every step with user
 * interaction is an error instead (OpenID Connect Core, section 3.1.2.6).
 */
export async function decideAuthorization(
  deps: DecideDeps,
  client: OAuthClient,
  request: PendingRequest,
  session: SessionView | undefined,
): Promise<Step> {
  const { parameters } = request;
  const silent = parameters.prompt.includes("none");
  const step = await nextStep(deps, client, request, session);
  if (!silent || step.kind === "code") return step;
  if (step.kind === "refuse" && step.refusal === NOT_SERVED) return step;
  if (SESSION_STEPS.has(step.kind)) return { kind: "refuse", refusal: LOGIN_REQUIRED };
  return { kind: "refuse", refusal: step.kind === "consent" ? CONSENT_REQUIRED : INTERACTION_REQUIRED };
}

async function nextStep(
  deps: DecideDeps,
  client: OAuthClient,
  request: PendingRequest,
  session: SessionView | undefined,
): Promise<Step> {
  const { parameters } = request;
  if (!session) return { kind: "sign_in", again: false };
  if (isOtherUser(deps, client, parameters, session) || mustSignInAgain(deps, request, session)) {
    return { kind: "sign_in", again: true };
  }
  const organization =
    (await organizationStep(deps, client, request, session)) ??
    (await servedOrganizationStep(deps, client, request, session));
  if (organization) return organization;
  const policy = await policyStep(deps, session, client);
  if (policy) return policy;
  if (session.ownFactor === "required") return { kind: "step_up" };
  const granted = await grantableScopes(deps, client, parameters, session);
  if (!granted.ok) return { kind: "refuse", refusal: granted.error };
  if (deps.config.requireVerifiedEmail && !session.emailVerified) return { kind: "verify_email" };
  const assurance = await assuranceStep(deps, client, request, session);
  if (assurance) return assurance;
  const narrowed = { ...parameters, scopes: granted.value };
  if (await needsConsent(deps, client, narrowed, session)) return { kind: "consent", ask: "scopes" };
  return parameters.prompt.includes("select_account") ? { kind: "consent", ask: "account" } : { kind: "code" };
}

/**
 * The step towards the organization that the application names (docs/contract.md, section 23.4); undefined: the
 * session is in the organization. A session that is bound to another organization counts as no session. An unknown
 * organization and an organization without this user have one result, so that no name is revealed.
 */
async function organizationStep(
  { database }: DecideDeps,
  client: OAuthClient,
  { parameters, createdAt }: PendingRequest,
  session: SessionView,
): Promise<Step | undefined> {
  const named = parameters.organization;
  if (named === undefined) return undefined;
  const organization = await database.run("organization.find_named", (sql) =>
    findNamedOrganization(sql, named, session.userId),
  );
  if (organization?.id === session.organizationId) return undefined;
  if (organization?.hasMember && !session.organizationBound) {
    // The session does not move to an organization that the application refuses.
    if (!servesOrganization(client, organization.id)) return { kind: "refuse", refusal: NOT_SERVED };
    return { kind: "organization", organizationId: organization.id };
  }
  const isFresh = session.authTime >= createdAt.getTime();
  return isFresh && !session.organizationBound
    ? { kind: "refuse", refusal: NOT_IN_ORGANIZATION }
    : { kind: "sign_in", again: true };
}

/** The step by the policy of the organization of the session (docs/contract.md, section 33.3), if any. */
async function policyStep(deps: DecideDeps, session: SessionView, client: OAuthClient): Promise<Step | undefined> {
  const admitted = admitSession(session, undefined);
  if (!admitted.ok && admitted.error.code === "mfa_required") return { kind: "step_up" };
  const isPermitted = admitted.ok && (await permitsClient(deps, session, client));
  if (isPermitted) return undefined;
  const canAsk = admitted.ok && session.policy?.thirdPartyClients === "approved";
  const named = { organizationId: session.organizationId, clientId: client.id };
  const status = canAsk
    ? await deps.database.run("organization_application.find", (sql) => findApplicationStatus(sql, named))
    : "denied";
  return status === "denied" ? { kind: "refuse", refusal: NOT_PERMITTED } : { kind: "approval" };
}

function isOtherUser(
  { codeKey }: DecideDeps,
  client: OAuthClient,
  { hintedSubject }: AuthorizationParameters,
  session: SessionView,
): boolean {
  return hintedSubject !== null && hintedSubject !== subjectOf(codeKey, client, session.userId);
}

/** `prompt=login` and `max_age`: satisfied by a sign-in after the request came. */
function mustSignInAgain(deps: DecideDeps, request: PendingRequest, session: SessionView): boolean {
  const isFresh = session.authTime >= request.createdAt.getTime();
  if (!isFresh && request.parameters.prompt.includes("login")) return true;
  return session.authTime < signedInSince(deps, request, session).getTime();
}

/**
 * The earliest sign-in time that satisfies `max_age`, compared at every step of the request, including the issue of the
 * code. After a sign-in for this request the limit is at least `OAUTH_SIGN_IN_VALID_MIN_MS`: with `max_age=0` no code
 * could be issued otherwise.
 */
export function signedInSince(
  { clock }: Pick<DecideDeps, "clock">,
  { parameters: { maxAge }, createdAt }: PendingRequest,
  session: SessionView,
): Date {
  if (maxAge === null) return new Date(0);
  const isFresh = session.authTime >= createdAt.getTime();
  const maxAgeMs = Math.max(maxAge * 1000, isFresh ? OAUTH_SIGN_IN_VALID_MIN_MS : 0);
  return new Date(Math.max(0, clock.now() - maxAgeMs));
}

/**
 * The step towards the required assurance (docs/contract.md, section 23.28); undefined: the session is strong enough,
 * or a voluntary requirement cannot be met. The step-up page offers the set-up of a factor to a user without a factor.
 */
async function assuranceStep(
  deps: DecideDeps,
  client: OAuthClient,
  { parameters, createdAt }: PendingRequest,
  session: SessionView,
): Promise<Step | undefined> {
  const required = requiredAcr(deps, client, parameters);
  if (!required || reaches(session, required.value)) return undefined;
  const factors = await deps.database.run("mfa.find_factors", (sql) => findFactors(sql, session.userId));
  const least = required.essential ? required.value : required.least;
  const isUnmet = least !== undefined && !reaches(session, least);
  if (required.value === "phr") {
    const isFresh = session.authTime >= createdAt.getTime();
    if (factors.hasPasskey && !isFresh) return { kind: "sign_in", again: true };
    if (least === "phr") return { kind: "refuse", refusal: UNMET };
  }
  if (session.aal === "aal2") return undefined;
  return isUnmet || factors.hasAuthenticator ? { kind: "step_up" } : undefined;
}

async function needsConsent(
  deps: DecideDeps,
  client: OAuthClient,
  parameters: AuthorizationParameters,
  session: SessionView,
): Promise<boolean> {
  if (parameters.prompt.includes("consent") || sensitiveScopes(deps, parameters).length > 0) return true;
  if (client.firstParty) return false;
  if (asksEachTime(client, parameters.redirectUri)) return true;
  const consent = await consentOf(deps, client, session);
  return !consent || !covers(consent, parameters) || !namesData(deps, consent, client, parameters);
}

/** A bound session has the consents of its organization only, and leaves no consent to other sessions of the user. */
async function consentOf(
  { clock, database }: DecideDeps,
  client: OAuthClient,
  { userId, organizationId, organizationBound }: SessionView,
): Promise<Consent | undefined> {
  if (!organizationBound) {
    return await database.run("oauth_grant.find", (sql) => findConsent(sql, userId, client.id));
  }
  const reach = { userId, organizationId, clientId: client.id, at: new Date(clock.now()) };
  return await database.run("oauth_grant.find_within", (sql) => findConsentWithin(sql, reach));
}

/** Whether the consent named the data that the present claim mappings disclose with the scopes. */
function namesData(
  deps: DecideDeps,
  { data }: Consent,
  client: OAuthClient,
  parameters: AuthorizationParameters,
): boolean {
  return disclosedDataOf(deps, client, parameters).every((each) => data.includes(each));
}

function covers(consent: Consent, { scopes, resources }: AuthorizationParameters): boolean {
  return (
    scopes.every((scope) => consent.scopes.includes(scope)) &&
    resources.every((resource) => findResource(consent.resources, resource) !== undefined)
  );
}
