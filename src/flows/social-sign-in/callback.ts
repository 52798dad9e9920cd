import { isOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  findIdentityOwner,
  hashIdentity,
  type IdentityKey,
  identityLabel,
  isUnlinked,
  linkIdentity,
  type NewIdentity,
  touchIdentity,
} from "../../models/identity/identity.ts";
import { browserProof, consumeOauthState } from "../../models/oauth-state/oauth-state.ts";
import { isProvider } from "../../models/provider-config/provider.ts";
import { normalizeAssertedEmail } from "../../models/user/email-address.ts";
import {
  type AdmissibleCandidate,
  findSignInCandidate,
  type SignInCandidate,
} from "../../models/user/sign-in-candidate.ts";
import { lockUnchangedUserForUpdate } from "../../models/user/user.ts";
import type { Exchange, Identity, IdentityFailure } from "../../providers/identity/identity-provider.ts";
import { inProviderSpan } from "../../telemetry/spans.ts";
import { isSocialProviderKey } from "../../vocabulary/social-provider-config.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted, UNCONFIRMED } from "../steps/sign-in/admit-candidate.ts";
import {
  completeFirstFactor,
  type PresentedFirstFactor,
  type SignInOutcome,
} from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import { identityRefusal } from "../steps/sign-in/identity-problem.ts";
import { recordRefusedSignIn } from "../steps/sign-in/record-refused-sign-in.ts";
import { completeLink, type Identified, type LINKED, NO_PROVIDER, UNKNOWN_STATE } from "./complete-link.ts";
import { assertsProtected, assertsReserved, PROTECTED } from "./named-by-others.ts";
import { type RefusedSignUp, refusedSignUp, signUpWithIdentity, NAME_TAKEN as TAKEN_MEANWHILE } from "./sign-up.ts";

export interface CallbackInput {
  readonly provider: string;
  /** The query of the redirect from the provider. */
  readonly parameters: URLSearchParams;
  /** The value of the cookie from the start. */
  readonly browserToken: string | undefined;
  /** The access token of the browser, for a link. */
  readonly accessToken?: string | undefined;
  readonly client: RequestContext;
}

export interface CalledBack {
  readonly outcome: SignInOutcome | typeof LINKED;
  /** `redirect_to` of the start. */
  readonly redirectTo: string;
}

/** `redirectTo`: the value from the start, once the state is known. `isLink`: the user stays signed in. */
export type CallbackRefusal = Refusal<CallbackProblem | "not_found"> & {
  readonly redirectTo?: string;
  readonly isLink?: boolean;
};

const NO_EMAIL = refusal(
  "authentication_required",
  "The provider sent no email address. Permit it there, and sign in again.",
);
const ADDRESS_IN_USE = refusal(
  "conflict",
  "This email address already has an account. Sign in to it in another way and verify the address.",
);
const UNLINKED = refusal(
  "conflict",
  "You have unlinked this provider. Sign in in another way, and link the provider in your account.",
);
const REFUSED = refusal("authentication_required", "This account cannot be used to sign in.");

/** Two tabs can link one identity at once; the second attempt finds the link of the first tab. */
const MATCH_ATTEMPTS_MAX = 2;

/** The reason in the audit trail. The set is closed: no text of a provider enters the audit trail. */
type Reason =
  | IdentityFailure["kind"]
  | "no_email"
  | "address_not_verified"
  | "unlinked"
  | "protected_user"
  | RefusedSignUp
  | NotAdmitted
  | typeof CHANGED_MEANWHILE;

/** Undefined: the account or the link changed concurrently; match again. */
type Attempt = Result<SignInOutcome, Refusal<CallbackProblem>> | undefined;

type CallbackProblem =
  | "authentication_required"
  | "conflict"
  | "forbidden"
  | "internal_error"
  | "rate_limited"
  | "sso_required";

/**
 * GET /v1/auth/oauth/:provider/callback (docs/contract.md, section 16.3): consumes the state, redeems the code, and
 * completes the first factor. `rate_limited` means a full signing queue, `internal_error` an unavailable provider.
 */
export async function completeSocialSignIn(
  deps: SignInDeps,
  input: CallbackInput,
): Promise<Result<CalledBack, CallbackRefusal>> {
  const { provider, parameters, browserToken } = input;
  const state = parameters.get("state");
  // The provider is a path segment: PostgreSQL rejects NUL.
  const isKey = isProvider(provider) || isSocialProviderKey(provider);
  if (!isKey || !isOpaqueToken(state) || !isOpaqueToken(browserToken)) return err(UNKNOWN_STATE);
  const at = new Date(deps.clock.now());
  const started = await deps.database.run("oauth_state.consume", (sql) =>
    consumeOauthState(sql, { state, browserToken, provider, at }),
  );
  if (!started) return err(UNKNOWN_STATE);
  const { redirectTo, linkSessionId } = started;
  const isLink = linkSessionId !== null;
  const identified = await identify(deps, input, { state, ...browserProof(browserToken, state) });
  const outcome = isLink
    ? await completeLink(deps, { ...input, accessToken: input.accessToken, sessionId: linkSessionId, identified })
    : await completeExchange(deps, input, identified);
  return outcome.ok ? ok({ outcome: outcome.value, redirectTo }) : err({ ...outcome.error, redirectTo, isLink });
}

/**
 * Undefined: the provider is unknown or switched off, or was during the exchange. Settings that changed during the
 * exchange vouch for no identity: the former settings may be those of another provider.
 */
async function identify(deps: SignInDeps, input: CallbackInput, exchange: Exchange): Promise<Identified> {
  const { provider, parameters } = input;
  const identityProvider = deps.identityProviders.find(provider);
  if (!identityProvider) return undefined;
  const run = () => identityProvider.identify(parameters, exchange);
  const identified = await inProviderSpan(deps.telemetry, provider, run);
  const present = deps.identityProviders.find(provider);
  if (present === identityProvider || !identified.ok) return identified;
  return present && err({ kind: "not_accepted", cause: "the settings changed during the exchange" });
}

async function completeExchange(
  deps: SignInDeps,
  input: CallbackInput,
  identified: Identified,
): Promise<Result<SignInOutcome, Refusal<CallbackProblem | "not_found">>> {
  if (!identified) return err(NO_PROVIDER);
  if (identified.ok) return await completeWithRetry(deps, input, identified.value);
  return await fail(deps, input, undefined, identityRefusal(identified.error), identified.error.kind);
}

async function completeWithRetry(
  deps: SignInDeps,
  input: CallbackInput,
  identity: Identity,
): Promise<Result<SignInOutcome, Refusal<CallbackProblem>>> {
  for (let attempt = 0; attempt < MATCH_ATTEMPTS_MAX; attempt += 1) {
    const outcome = await matchIdentity(deps, input, identity);
    if (outcome) return outcome;
  }
  return await fail(deps, input, undefined, REFUSED, CHANGED_MEANWHILE);
}

/** Finds the user of an identity, links the identity or signs up, by the rules of docs/contract.md, section 16.4. */
async function matchIdentity(deps: SignInDeps, input: CallbackInput, identity: Identity): Promise<Attempt> {
  const key = { provider: input.provider, issuer: identity.issuer, subject: identity.subject };
  const email = identity.email === undefined ? undefined : normalizeAssertedEmail(identity.email);
  const emailVerified = identity.emailVerified && !assertsReserved(deps, input.provider, email);
  const owner = await deps.database.run("identity.find_owner", (sql) => findIdentityOwner(sql, key));
  if (owner) {
    const candidate = await findCandidate(deps, input, { userId: owner.userId });
    if (owner.held) return await fail(deps, input, candidate, REFUSED, UNCONFIRMED);
    const proven = emailVerified && email !== undefined && email === candidate?.email;
    return await signInAs(deps, input, { key, candidate, link: undefined, proven });
  }
  if (email === undefined) return await fail(deps, input, undefined, NO_EMAIL, "no_email");
  const candidate = await findCandidate(deps, input, { email });
  if (!candidate) return await signUp(deps, input, key, { ...identity, email, emailVerified });
  if (!emailVerified || !candidate.emailVerified) {
    return await fail(deps, input, candidate, ADDRESS_IN_USE, "address_not_verified");
  }
  if (await assertsProtected(deps, input.provider, candidate.userId)) {
    return await fail(deps, input, candidate, PROTECTED, "protected_user");
  }
  const hash = hashIdentity(deps.addressKey, key);
  const unlinked = await deps.database.run("identity.is_unlinked", (sql) => isUnlinked(sql, candidate.userId, hash));
  if (unlinked) return await fail(deps, input, candidate, UNLINKED, "unlinked");
  const label = identityLabel(identity);
  return await signInAs(deps, input, { key, candidate, link: { ...key, label }, proven: true });
}

/**
 * Finds the candidate without a trusted browser: trust skips the challenge only after a password or an emailed code.
 */
function findCandidate(
  deps: SignInDeps,
  { client, provider }: CallbackInput,
  by: { readonly email: string } | { readonly userId: string },
): Promise<SignInCandidate | undefined> {
  const at = new Date(deps.clock.now());
  const question = { method: "social_oauth", provider, address: client.ipAddress, at } as const;
  return deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, by, question));
}

async function signUp(
  deps: SignInDeps,
  input: CallbackInput,
  key: IdentityKey,
  identity: Identity & { readonly email: string },
): Promise<Attempt> {
  const refused = refusedSignUp(deps, input.provider, identity.email);
  if (refused) return await fail(deps, input, undefined, REFUSED, refused);
  const signedIn = await signUpWithIdentity(deps, { key, identity, client: input.client });
  if (!signedIn.ok) return signedIn.error === TAKEN_MEANWHILE ? undefined : err(signedIn.error);
  deps.telemetry.metrics.signInAttempt("social_oauth", "success");
  return ok({ status: "success", signedIn: signedIn.value });
}

interface Matched {
  readonly key: IdentityKey;
  readonly candidate: SignInCandidate | undefined;
  /** The identity that the sign-in statement links to the user, if any. */
  readonly link: NewIdentity | undefined;
  /** Whether the provider says that the user's address is verified: a controlling proof. */
  readonly proven: boolean;
}

/** Signs an existing user in, or returns the challenge for the second factor. */
async function signInAs(
  deps: SignInDeps,
  input: CallbackInput,
  { key, candidate, link, proven }: Matched,
): Promise<Attempt> {
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) {
    const closed = closedRefusal(candidate, admitted.error);
    return await fail(deps, input, candidate, closed ?? REFUSED, admitted.error);
  }
  const { userId } = admitted.value;
  const at = new Date(deps.clock.now());
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    authMethod: "social_oauth",
    identityProvider: key.provider,
    client: input.client,
    proof: proven ? { kind: "social_sign_in", identity: key } : undefined,
    audit: { action: "auth.oauth.login", metadata: { provider: key.provider } },
    ...(link
      ? linkParts(deps, input, link, admitted.value, at)
      : { consume: (sql) => touchIdentity(sql, key, userId, at) }),
  });
  if (!outcome.ok) return outcome.error === CHANGED_MEANWHILE ? undefined : err(outcome.error);
  if (link) deps.outbox.wake();
  return outcome;
}

/**
 * A link is a new sign-in method of the account: an audit record and an email to the owner report the link. A CTE that
 * inserts runs whether or not a later CTE uses the row, so the link itself needs the conditions of the sign-in: a
 * refused sign-in links no identity.
 */
function linkParts(
  deps: SignInDeps,
  { provider, client }: CallbackInput,
  identity: NewIdentity,
  candidate: AdmissibleCandidate,
  at: Date,
) {
  const values = { ...noticeDetails(client, at), provider: deps.identityProviders.name(provider), by_user: false };
  const tenants = { organizationId: candidate.organizationId };
  const mail = composeEmail(deps, { to: candidate, mail: { kind: "identity_linked", values }, tenants, client, at });
  const entry = userAuditEvent(deps, candidate, client, { action: "auth.oauth.linked", at, metadata: { provider } });
  return {
    allow: (sql, membership) => lockUnchangedUserForUpdate(sql, candidate, sql`from ${membership}`),
    consume: (sql, allowed) => linkIdentity(sql, identity, candidate.userId, at, sql`from ${allowed}`),
    notice: (sql, account) => insertEmail(sql, mail, sql`from ${account}`),
    record: (sql, account) => insertAudit(sql, entry, sql`from ${account}`),
  } satisfies Partial<PresentedFirstFactor>;
}

async function fail<Code extends CallbackProblem>(
  deps: SignInDeps,
  { client, provider }: CallbackInput,
  candidate: SignInCandidate | undefined,
  refusal: Refusal<Code>,
  reason: Reason,
): Promise<Result<never, Refusal<Code>>> {
  const method = "social_oauth";
  const action = "auth.oauth.login";
  await recordRefusedSignIn(deps, { method, action, reason, candidate, client, metadata: { provider } });
  return err({ ...refusal, cause: refusal.cause ?? reason });
}
