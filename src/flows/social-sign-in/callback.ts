import type { ClientFacts } from "../../base/client-facts.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { findIdentityOwner, type IdentityKey, linkIdentity, useIdentity } from "../../models/identity/identity.ts";
import { browserProof, consumeOauthState, isOauthToken } from "../../models/oauth-state/oauth-state.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import type { Identity, IdentityFailure } from "../../providers/identity/identity-provider.ts";
import { admitCandidate, type NotAdmitted } from "../steps/admit-candidate.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { completeFirstFactor, type FirstFactorDeps, type SignInOutcome } from "../steps/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/complete-sign-in.ts";
import { composeEmail, requestContext } from "../steps/compose-email.ts";
import { identityRefusal } from "../steps/identity-refusal.ts";
import { recordRefusedSignIn } from "../steps/record-refused-sign-in.ts";
import { signUpWithIdentity, TAKEN as TAKEN_MEANWHILE } from "./sign-up.ts";

export type CallbackDeps = FirstFactorDeps & Pick<Deps, "telemetry" | "identityProviders">;

export interface CallbackInput {
  readonly provider: string;
  /** What the provider had the browser bring. */
  readonly parameters: URLSearchParams;
  /** The value of the cookie that the browser got at the start. */
  readonly browserToken: string | undefined;
  readonly client: ClientFacts;
}

export interface CalledBack {
  readonly outcome: SignInOutcome;
  /** Where the person wanted to go. */
  readonly redirectTo: string;
}

/** One answer for a state that is unknown, used, expired, of another provider or of another browser. */
const UNKNOWN_STATE = refusal("authentication_required", "The sign-in has expired. Start again.", "unknown state");
const NO_EMAIL = refusal(
  "authentication_required",
  "The provider gave no e-mail address. Allow it to, and sign in again.",
);
const TAKEN = refusal(
  "conflict",
  "This e-mail address has an account. Sign in to it another way, and verify the address.",
);
const REFUSED = refusal("authentication_required", "This account cannot be used to sign in.");

/** Two tabs of one person may make the same link at once; the second look finds what the other one made. */
const LOOKS_MAX = 2;

/** Why nobody was let in, for the audit trail: never what a provider wrote. */
type Reason =
  | IdentityFailure["kind"]
  | "no_email"
  | "address_not_verified"
  | "sign_up_off"
  | NotAdmitted
  | typeof CHANGED_MEANWHILE;

/** Undefined: somebody else changed the account or the link meanwhile, look again. */
type Attempt = Result<SignInOutcome> | undefined;

/**
 * GET /v1/auth/oauth/:provider/callback (decisions, section 9): takes the state, redeems the code, and lets the person in. Refuses with
 * `authentication_required`, `conflict`, `not_found`, `internal_error` when the provider cannot be reached.
 */
export async function completeSocialSignIn(deps: CallbackDeps, input: CallbackInput): Promise<Result<CalledBack>> {
  const { provider, parameters, browserToken } = input;
  const state = parameters.get("state");
  if (!isOauthToken(state) || !isOauthToken(browserToken)) return err(UNKNOWN_STATE);
  const at = new Date(deps.clock.now());
  const redirectTo = await deps.database.run("oauth_state.take", (sql) =>
    consumeOauthState(sql, { state, browserToken, provider, at }),
  );
  if (redirectTo === undefined) return err(UNKNOWN_STATE);
  const identityProvider = deps.identityProviders.find(provider);
  if (!identityProvider) return err(refusal("not_found", "There is no such way to sign in."));
  const identity = await identityProvider.identify(parameters, { state, ...browserProof(browserToken, state) });
  if (!identity.ok) return await fail(deps, input, undefined, identityRefusal(identity.error), identity.error.kind);
  const outcome = await completeWithRetry(deps, input, identity.value);
  return outcome.ok ? ok({ outcome: outcome.value, redirectTo }) : outcome;
}

async function completeWithRetry(
  deps: CallbackDeps,
  input: CallbackInput,
  identity: Identity,
): Promise<Result<SignInOutcome>> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const outcome = await matchIdentity(deps, input, identity);
    if (outcome) return outcome;
  }
  return await fail(deps, input, undefined, REFUSED, CHANGED_MEANWHILE);
}

/** Matches the identity (decisions, section 9): by provider and subject, else by an address that both sides have verified. */
async function matchIdentity(deps: CallbackDeps, input: CallbackInput, identity: Identity): Promise<Attempt> {
  const key = { provider: input.provider, issuer: identity.issuer, subject: identity.subject };
  const email = identity.email === undefined ? undefined : normalizeEmail(identity.email);
  const userId = await deps.database.run("identity.find_owner", (sql) => findIdentityOwner(sql, key));
  if (userId !== undefined) {
    const candidate = await findCandidate(deps, { userId });
    const proven = identity.emailVerified && email !== undefined && email === candidate?.email;
    return await signInAs(deps, input, { key, candidate, link: false, proven });
  }
  if (email === undefined) return await fail(deps, input, undefined, NO_EMAIL, "no_email");
  const candidate = await findCandidate(deps, { email });
  if (!candidate) return await signUpStranger(deps, input, key, { ...identity, email });
  if (!identity.emailVerified || !candidate.emailVerified)
    return await fail(deps, input, candidate, TAKEN, "address_not_verified");
  return await signInAs(deps, input, { key, candidate, link: true, proven: true });
}

/**
 * A trusted browser does not count here: it skips the challenge after a password or an e-mailed code alone (decisions,
 * section 5).
 */
function findCandidate(
  deps: CallbackDeps,
  who: { readonly email: string } | { readonly userId: string },
): Promise<SignInCandidate | undefined> {
  const question = { at: new Date(deps.clock.now()) };
  return deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, who, question));
}

async function signUpStranger(
  deps: CallbackDeps,
  input: CallbackInput,
  key: IdentityKey,
  identity: Identity & { readonly email: string },
): Promise<Attempt> {
  if (!deps.config.socialSignup) {
    return await fail(deps, input, undefined, REFUSED, "sign_up_off");
  }
  const signedIn = await signUpWithIdentity(deps, { key, identity, client: input.client });
  if (!signedIn.ok) return signedIn.error === TAKEN_MEANWHILE ? undefined : err(signedIn.error);
  deps.telemetry.metrics.signInAttempt("social_oauth", "success");
  return ok({ status: "success", signedIn: signedIn.value });
}

interface Matched {
  readonly key: IdentityKey;
  readonly candidate: SignInCandidate | undefined;
  /** The identity becomes the user's in the same statement. */
  readonly link: boolean;
  /** The provider says that the user's address here is verified there: control of the mailbox. */
  readonly proven: boolean;
}

/** Signs a known user in, or on to the second factor. */
async function signInAs(
  deps: CallbackDeps,
  input: CallbackInput,
  { key, candidate, link, proven }: Matched,
): Promise<Attempt> {
  const admitted = admitCandidate(candidate);
  if (!admitted.ok) return await fail(deps, input, candidate, REFUSED, admitted.error);
  const { userId } = admitted.value;
  const at = new Date(deps.clock.now());
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    authMethod: "social_oauth",
    client: input.client,
    proof: proven ? { kind: "social_sign_in", identity: key } : undefined,
    audit: { action: "auth.oauth.login", metadata: { provider: key.provider } },
    consume: (sql) => (link ? linkIdentity(sql, key, userId, at) : useIdentity(sql, key, userId, at)),
    ...(link ? linkedParts(deps, input, admitted.value, at) : {}),
  });
  if (!outcome.ok) return outcome.error === CHANGED_MEANWHILE ? undefined : err(outcome.error);
  if (link) deps.outbox.wake();
  deps.telemetry.metrics.signInAttempt("social_oauth", "success");
  return outcome;
}

/** A link is a new way into the account: the trail has it, and its owner is told. */
function linkedParts(deps: CallbackDeps, { provider, client }: CallbackInput, candidate: SignInCandidate, at: Date) {
  const values = { ...requestContext(client, at), provider: deps.identityProviders.nameOf(provider) };
  const mail = composeEmail(deps, candidate, client, { kind: "identity_linked", values }, at);
  const entry = userAuditEvent(deps, candidate, client, { action: "auth.oauth.linked", at, metadata: { provider } });
  return {
    notice: (sql, account) => insertEmail(sql, mail, sql`from ${account}`),
    record: (sql, account) => insertAudit(sql, entry, sql`from ${account}`),
  } satisfies Partial<Parameters<typeof completeFirstFactor>[1]>;
}

async function fail(
  deps: CallbackDeps,
  { client, provider }: CallbackInput,
  candidate: SignInCandidate | undefined,
  refusal: Refusal,
  reason: Reason,
): Promise<Result<never>> {
  const method = "social_oauth";
  const action = "auth.oauth.login";
  await recordRefusedSignIn(deps, { method, action, reason, candidate, client, metadata: { provider } });
  return err({ ...refusal, cause: refusal.cause ?? reason });
}
