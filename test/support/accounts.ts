/**
 * Accounts for tests of flows: registered, with a second factor, signed in. Each goes through the flows, as the routes
 * do.
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
import type { SignedIn } from "../../src/flows/steps/sign-in/complete-sign-in.ts";
import type { SessionView } from "../../src/models/session/session.ts";
import { newEmail, PASSWORD } from "./client.ts";
import type { Flows } from "./flows.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** RFC 6238: a code for each 30 s. */
export const STEP_MS = 30 * SECOND_MS;

/** A request from one network. */
export function clientAt(network = "192.0.2.1"): RequestContext {
  return { ipAddress: network, network, userAgent: "test", requestId: null, locale: null };
}

/** The value; throws where a flow refused. */
export function unwrap<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${result.error.code}, ${result.error.message} (${result.error.cause ?? "no cause"})`);
}

/** The code of a refusal, `ok` where there was none. */
export function codeOf(result: Result<unknown, Refusal>): Refusal["code"] | "ok" {
  return result.ok ? "ok" : result.error.code;
}

export interface Account {
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  /** The session of the registration. */
  readonly signedIn: SignedIn;
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

/** The session that an access token stands for, as a route has it. */
export async function callerOf(
  { deps }: Pick<Flows, "deps">,
  { tokens }: Pick<SignedIn, "tokens">,
): Promise<SessionView> {
  return unwrap(await identifyCaller(deps, tokens.accessToken));
}

/** A caller whose change of credentials is authorized, as a route has it. */
export async function credentialChange({ deps }: Pick<Flows, "deps">, caller: SessionView) {
  return { caller, authorized: unwrap(await authorizeCredentialChange(deps, caller)), client: clientAt() };
}

/** The caller as a member of the organization of the session who may invite others to it. */
export async function inviterOf(flows: Pick<Flows, "deps">, signedIn: Pick<SignedIn, "tokens">): Promise<MemberCaller> {
  const session = await callerOf(flows, signedIn);
  return unwrap(await authorizePermission(flows.deps, session, session.organizationId, "members.invite"));
}

/** A user who owns one organization and is a member of another, `other`; the session is in the first. */
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

/** What an authenticator app shows at the moment of the test's clock, or so many time steps away. */
export function totpAt({ clock }: Pick<Flows, "clock">, secret: string, stepsAway = 0): string {
  return generateSync({ secret, epoch: unixSeconds(clock.now() + stepsAway * STEP_MS) });
}

/** A code that is right at no time step near the moment of the test's clock. */
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

/** An account with an authenticator app. */
export async function enrolledAccount(flows: Pick<Flows, "deps" | "clock">): Promise<EnrolledAccount> {
  return await enrol(flows, await registerAccount(flows));
}

/**
 * Enables a second factor in the session of the registration. Time then moves on to a step whose code was never shown.
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

/** POST /v1/auth/login, as the route calls it. */
export function signInWith({ deps }: Pick<Flows, "deps">, email: string, sign: PasswordSignIn = {}) {
  const { password = PASSWORD, network, trustToken } = sign;
  const input = { email, password, organizationId: undefined, trustToken, admission: undefined };
  return login(deps, { ...input, client: clientAt(network) });
}

/** A new session of an account without a second factor. */
export async function signIn(flows: Pick<Flows, "deps">, email: string): Promise<SignedIn> {
  const outcome = unwrap(await signInWith(flows, email));
  if (outcome.status !== "success") throw new Error("a second factor is asked for");
  return outcome.signedIn;
}

/** Shows the password of an account with a second factor; returns the mfa_token. */
export async function passwordShown(flows: Pick<Flows, "deps">, email: string): Promise<string> {
  const outcome = unwrap(await signInWith(flows, email));
  if (outcome.status !== "mfa_required") throw new Error("no second factor was asked for");
  return outcome.mfaToken;
}

/** The token of a mailed link. */
export function tokenIn({ link }: { readonly link: string }): string {
  return new URL(link).searchParams.get("token") ?? "";
}
