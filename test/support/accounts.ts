/**
 * Accounts for tests of flows: registered, enrolled in a second factor, signed in. The helpers call the flows in the
 * way in which the routes call the flows.
 */
import { generateSync } from "otplib";
import { unixSeconds } from "../../src/base/clock.ts";
import type { Refusal } from "../../src/base/problem.ts";
import type { RequestContext } from "../../src/base/request-context.ts";
import type { Result } from "../../src/base/result.ts";
import { login } from "../../src/flows/auth/login.ts";
import { register } from "../../src/flows/auth/register.ts";
import { acceptInvitation } from "../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../src/flows/invitations/create.ts";
import { enableMfa } from "../../src/flows/mfa/enable.ts";
import { setUpMfa } from "../../src/flows/mfa/setup.ts";
import { authorizePermission, type MemberCaller } from "../../src/flows/steps/authorization/authorize-member.ts";
import { identifyCaller } from "../../src/flows/steps/authorization/identify-caller.ts";
import { authorizeCredentialChange } from "../../src/flows/steps/credentials/change-credentials.ts";
import type { SignInResult } from "../../src/flows/steps/sign-in/complete-sign-in.ts";
import type { SessionView } from "../../src/models/session/session.ts";
import { newEmail, PASSWORD } from "./client.ts";
import type { Flows } from "./flows.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** An authenticator app computes a code for each 30 s (RFC 6238). */
export const STEP_MS = 30 * SECOND_MS;

/** Builds the context of a request from a given network. */
export function clientAt(network = "192.0.2.1"): RequestContext {
  return { ipAddress: network, network, userAgent: "test", requestId: null, locale: null };
}

/** Returns the value of a result; throws if the flow returned a refusal. */
export function unwrap<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${result.error.code}, ${result.error.message} (${result.error.cause ?? "no cause"})`);
}

/** Returns the code of the refusal, or `ok` for a success. */
export function codeOf(result: Result<unknown, Refusal>): Refusal["code"] | "ok" {
  return result.ok ? "ok" : result.error.code;
}

export interface Account {
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  /** The session that the registration started. */
  readonly signedIn: SignInResult;
}

export async function registerAccount({ deps }: Pick<Flows, "deps">): Promise<Account> {
  const email = newEmail();
  const organization = {
    organizationName: "Acme",
    organizationSlug: undefined,
    email,
    password: PASSWORD,
    displayName: undefined,
  };
  const signedIn = unwrap(await register(deps, { organization, client: clientAt() }));
  const { userId, organizationId } = signedIn.session;
  return { email, userId, organizationId, signedIn };
}

/** Loads the session of an access token, as a route receives the session. */
export async function callerOf(
  { deps }: Pick<Flows, "deps">,
  { tokens }: Pick<SignInResult, "tokens">,
): Promise<SessionView> {
  return unwrap(await identifyCaller(deps, tokens.accessToken));
}

/** Authorizes a change of credentials for a caller, as a route does. */
export async function credentialChange({ deps }: Pick<Flows, "deps">, caller: SessionView) {
  return { caller, authorized: unwrap(await authorizeCredentialChange(deps, caller)), client: clientAt() };
}

/** Loads the caller as a member who may invite users to the organization of the session. */
export async function inviterOf(
  flows: Pick<Flows, "deps">,
  signedIn: Pick<SignInResult, "tokens">,
): Promise<MemberCaller> {
  const session = await callerOf(flows, signedIn);
  return unwrap(await authorizePermission(flows.deps, session, session.organizationId, "members.invite"));
}

/**
 * Creates a user who owns an organization and is a member of a second organization, `other`; the session belongs to the
 * owned organization.
 */
export async function memberOfTwo(flows: Pick<Flows, "deps" | "newestEmail">) {
  const [host, guest] = [await registerAccount(flows), await registerAccount(flows)];
  const inviter = await inviterOf(flows, host.signedIn);
  const input = { caller: inviter, email: guest.email, role: "member" as const, client: clientAt() };
  unwrap(await createInvitation(flows.deps, input));
  const token = tokenIn(await flows.newestEmail(guest.email, "invitation"));
  const caller = await callerOf(flows, guest.signedIn);
  const accepting = { token, caller, password: undefined, displayName: undefined, client: clientAt() };
  unwrap(await acceptInvitation(flows.deps, accepting));
  return { ...guest, caller, other: host.organizationId };
}

/** Computes the code of an authenticator app at the time of the test clock, shifted by `stepsAway` time steps. */
export function totpAt({ clock }: Pick<Flows, "clock">, secret: string, stepsAway = 0): string {
  return generateSync({ secret, epoch: unixSeconds(clock.now() + stepsAway * STEP_MS) });
}

/** Returns a code that is wrong at every time step near the time of the test clock. */
export function wrongTotpAt(flows: Pick<Flows, "clock">, secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => totpAt(flows, secret, steps)));
  for (let code = 0; ; code += 1) {
    const text = String(code).padStart(6, "0");
    if (!right.has(text)) return text;
  }
}

export interface EnrolledAccount extends Account {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Creates an account with an authenticator app. */
export async function enrolledAccount(flows: Pick<Flows, "deps" | "clock">): Promise<EnrolledAccount> {
  return await enrol(flows, await registerAccount(flows));
}

/**
 * Enables a second factor in the session of the registration, then moves the clock to a step whose code has not been
 * presented.
 */
export async function enrol(flows: Pick<Flows, "deps" | "clock">, account: Account): Promise<EnrolledAccount> {
  const caller = await callerOf(flows, account.signedIn);
  const { secret } = unwrap(await setUpMfa(flows.deps, caller));
  const code = totpAt(flows, secret);
  const recoveryCodes = unwrap(await enableMfa(flows.deps, { caller, code, password: undefined, client: clientAt() }));
  flows.clock.advance(STEP_MS);
  return { ...account, secret, recoveryCodes };
}

export interface PasswordSignIn {
  readonly password?: string;
  readonly network?: string;
  readonly trustToken?: string;
}

/** Calls the flow of POST /v1/auth/login in the way in which the route calls the flow. */
export function signInWith({ deps }: Pick<Flows, "deps">, email: string, sign: PasswordSignIn = {}) {
  const { password = PASSWORD, network, trustToken } = sign;
  const input = { email, password, organizationId: undefined, trustToken, admission: undefined };
  return login(deps, { ...input, client: clientAt(network) });
}

/** Opens a new session for an account without a second factor. */
export async function signIn(flows: Pick<Flows, "deps">, email: string): Promise<SignInResult> {
  const outcome = unwrap(await signInWith(flows, email));
  if (outcome.status !== "success") throw new Error("a second factor is asked for");
  return outcome.signedIn;
}

/** Presents the password of an account with a second factor; returns the mfa_token. */
export async function passwordShown(flows: Pick<Flows, "deps">, email: string): Promise<string> {
  const outcome = unwrap(await signInWith(flows, email));
  if (outcome.status !== "mfa_required") throw new Error("no second factor was asked for");
  return outcome.mfaToken;
}

/** Returns the token of a mailed link. */
export function tokenIn({ link }: { readonly link: string }): string {
  return new URL(link).searchParams.get("token") ?? "";
}
