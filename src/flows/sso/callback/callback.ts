import { isOpaqueToken } from "../../../base/opaque-token.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { STEP_UP_WINDOW_MS } from "../../../limits/factor-limits.ts";
import { SSO_REQUESTS_MAX } from "../../../limits/sso-sign-in-limits.ts";
import { browserProof } from "../../../models/oauth-state/oauth-state.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { markSuccess } from "../../../models/sso-connection/connection-use.ts";
import { findSubjectSpelling } from "../../../models/sso-identity/sso-identity.ts";
import {
  consumeSsoRequest,
  insertSsoRequest,
  type RequestProof,
  type SsoRequest,
} from "../../../models/sso-request/sso-request.ts";
import { inProviderSpan, timeVerification } from "../../../telemetry/spans.ts";
import { identifyCaller } from "../../steps/authorization/identify-caller.ts";
import { admitResponse } from "../../steps/sessions/organization-rules.ts";
import { CHANGED_MEANWHILE, type SignInResult } from "../../steps/sign-in/complete-sign-in.ts";
import type { StepUpResult } from "../../steps/sign-in/persist-step-up.ts";
import { offerSsoLink } from "../links/offer-link.ts";
import { completeSsoSession } from "../sign-in/complete.ts";
import {
  findUsable,
  isRoutable,
  type OidcConnection,
  partyOf,
  type SsoDeps,
  type UsableConnection,
} from "../sign-in/connection.ts";
import { type AssertedIdentity, mapClaims } from "../sign-in/map-claims.ts";
import { isOvertakenByPower } from "../sign-in/overtaken-session.ts";
import { provisionMember } from "../sign-in/provision.ts";
import { recordFailure, recordSuccess, recordUnrequested, type SsoFailure } from "../sign-in/record-attempt.ts";
import { type SsoProblem, ssoRefusal, ssoUnavailable, UNKNOWN_REQUEST } from "../sign-in/refusals.ts";
import { NO_CONNECTION } from "../sign-in/start.ts";
import { finishSsoStepUp } from "../step-up/finish-step-up.ts";
import { finishSsoTest } from "../tests/finish.ts";
import { type ReceivedValues, receivedClaims } from "../tests/received-values.ts";

export interface SsoCallback {
  readonly connectionId: string;
  /** The query of the redirect from the identity provider. */
  readonly parameters: URLSearchParams;
  /** The value of the cookie from the start. */
  readonly browserToken: string | undefined;
  /** The access token of the browser, for a link and a step-up. */
  readonly accessToken: string | undefined;
  readonly client: RequestContext;
}

/** The effect of a verified response, by the intent of the request. */
type SsoEffect =
  | { readonly kind: "signed_in"; readonly signedIn: SignInResult }
  | { readonly kind: "tested" }
  | { readonly kind: "link_offered"; readonly linkId: string }
  | { readonly kind: "stepped_up"; readonly steppedUp: StepUpResult; readonly session: SessionView };

export type SsoCompletion = SsoEffect & { readonly redirectTo: string };

/** `redirectTo` and `intent`: from the start, once the request is known. */
export type SsoCallbackRefusal = Refusal<SsoProblem | "not_found"> & {
  readonly redirectTo?: string;
  readonly intent?: SsoRequest["intent"];
};

/** A live request with the values that the browser presented. */
export interface LiveRequest {
  readonly connection: UsableConnection;
  readonly request: SsoRequest;
  readonly proof: RequestProof;
  readonly input: Pick<SsoCallback, "accessToken" | "client">;
  /** Verifies the response of the identity provider, and reads the identity by the mapping of the connection. */
  readonly identify: () => Promise<Result<IdentifiedResponse, SsoFailure>>;
}

/**
 * GET /v1/auth/sso/:connection_id/callback (docs/contract.md, section 29.11): consumes the request, redeems the code,
 * and applies the response by the intent of the request.
 */
export async function completeSsoSignIn(
  deps: SsoDeps,
  input: SsoCallback,
): Promise<Result<SsoCompletion, SsoCallbackRefusal>> {
  const connection = findUsable(deps, input.connectionId);
  if (connection?.protocol !== "oidc") return err(NO_CONNECTION);
  const live = await consumeRequest(deps, connection, input);
  if (live) return await applyResponse(deps, live);
  if (!isRoutable(deps, connection)) return err(NO_CONNECTION);
  await recordUnrequested(deps, { connection, client: input.client, step: "request" });
  return err(UNKNOWN_REQUEST);
}

/** Applies a response to a consumed request, by the intent of the request. */
export async function applyResponse(
  deps: SsoDeps,
  live: LiveRequest,
): Promise<Result<SsoCompletion, SsoCallbackRefusal>> {
  if (live.request.intent === "test") return await completeTest(deps, live);
  if (!isRoutable(deps, live.connection)) return err(NO_CONNECTION);
  const { redirectTo, intent } = live.request;
  const completed = intent === "sign_in" ? await complete(deps, live) : await applyToSession(deps, live);
  if (completed.ok) return ok({ ...completed.value, redirectTo });
  if ("code" in completed.error) return err({ ...completed.error, redirectTo, intent });
  return err({ ...(await refuse(deps, live, completed.error)), redirectTo, intent });
}

/** Stores the result for the administrators; the browser continues at the page of the connection. */
async function completeTest(deps: SsoDeps, live: LiveRequest): Promise<Result<SsoCompletion, never>> {
  const { connection, request, proof, input } = live;
  const outcome = await live.identify();
  const { userId, redirectTo } = request;
  await finishSsoTest(deps, { connection, state: proof.state, userId, client: input.client, outcome });
  return ok({ kind: "tested", redirectTo });
}

async function consumeRequest(
  deps: SsoDeps,
  connection: OidcConnection,
  input: SsoCallback,
): Promise<LiveRequest | undefined> {
  const state = input.parameters.get("state");
  const { browserToken } = input;
  if (!isOpaqueToken(state) || !isOpaqueToken(browserToken)) return undefined;
  const proof = { state, browserToken };
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("sso_request.consume", (sql) =>
    consumeSsoRequest(sql, proof, connection.id, at),
  );
  if (!request) return undefined;
  const identify = () => identifyByCode(deps, { connection, request, proof, parameters: input.parameters });
  return { connection, request, proof, input, identify };
}

/**
 * A refused message leaves the request usable. Parallel messages find no request meanwhile, so one code at most is
 * redeemed at a time; a verified response consumes the request for good.
 */
async function restoreRequest(deps: SsoDeps, { proof, request }: LiveRequest): Promise<void> {
  await deps.database.run("sso_request.restore", (sql) => insertSsoRequest(sql, proof, request, SSO_REQUESTS_MAX));
}

async function refuse(
  deps: SsoDeps,
  { connection, input }: LiveRequest,
  { reason, cause, unreachable = false, ...attempt }: SsoFailure,
): Promise<Refusal<SsoProblem>> {
  await recordFailure(deps, { connection, client: input.client, ...attempt }, reason, unreachable);
  const refusal = unreachable ? ssoUnavailable(reason) : ssoRefusal(reason);
  return { ...refusal, cause: cause === undefined ? reason : `${reason}: ${cause}` };
}

type EffectResult = Result<SsoEffect, SsoFailure | Refusal<"forbidden" | "rate_limited">>;

async function complete(deps: SsoDeps, live: LiveRequest): Promise<EffectResult> {
  const { connection, input } = live;
  const identified = await identifyOnce(deps, live);
  if (!identified.ok) return identified;
  const asserted = await withKnownSpelling(deps, connection, identified.value.asserted);
  const { email } = asserted;
  const provisioning = { connection, asserted, client: input.client, at: new Date(deps.clock.now()) };
  const provisioned = await provisionMember(deps, provisioning);
  if (!provisioned.ok) return err({ step: "account", email, ...provisioned.error });
  const { userId, warning } = provisioned.value;
  const signedIn = await completeSsoSession(deps, provisioning, provisioned.value);
  if (!signedIn.ok) {
    const overtaken: SsoFailure = { step: "session", reason: "changed", email, userId };
    return err(signedIn.error === CHANGED_MEANWHILE ? overtaken : signedIn.error);
  }
  if (await isOvertakenByPower(deps, provisioning, signedIn.value)) {
    return err({ step: "session", reason: "changed", email, userId });
  }
  await Promise.all([
    recordSuccess(deps, { connection, client: input.client, step: "session", email, userId, warning }),
    deps.database.run("sso_connection.mark_success", (sql) => markSuccess(sql, connection.id, provisioning.at)),
  ]);
  return ok({ kind: "signed_in", signedIn: signedIn.value });
}

/** The identity in the spelling in which the connection knows the subject, if the subject is an email address. */
async function withKnownSpelling(
  { database }: SsoDeps,
  { id }: UsableConnection,
  asserted: AssertedIdentity,
): Promise<AssertedIdentity> {
  const { subject, subjectAddress: address } = asserted;
  if (address === undefined) return asserted;
  const known = await database.run("sso_identity.find_spelling", (sql) =>
    findSubjectSpelling(sql, id, { subject, address }),
  );
  return known === undefined ? asserted : { ...asserted, subject: known };
}

/** A link or a step-up, for the session that began the request. */
async function applyToSession(deps: SsoDeps, live: LiveRequest): Promise<EffectResult> {
  const { connection, request, proof, input } = live;
  const session = await findRequestSession(deps, live);
  if (!session) {
    await restoreRequest(deps, live);
    return err({ step: "request", reason: "state", userId: request.userId });
  }
  const admitted = admitResponse(session, input.client, request.intent === "step_up" ? "enrolment" : undefined);
  if (!admitted.ok) {
    await restoreRequest(deps, live);
    return admitted;
  }
  const identified = await identifyOnce(deps, live);
  if (!identified.ok) return identified;
  const asserted = await withKnownSpelling(deps, connection, identified.value.asserted);
  const failure = { step: "account", email: asserted.email, userId: session.userId } as const;
  if (request.intent === "link") {
    const { browserToken } = proof;
    const link = { connection, session, browserToken, redirectTo: request.redirectTo, asserted };
    const offered = await offerSsoLink(deps, link);
    return offered.ok
      ? ok({ kind: "link_offered", linkId: offered.value })
      : err({ ...failure, reason: offered.error });
  }
  const steppedUp = await finishSsoStepUp(deps, { connection, session, asserted, client: input.client });
  if (steppedUp.ok) return ok({ kind: "stepped_up", steppedUp: steppedUp.value, session });
  const { error } = steppedUp;
  return err(typeof error === "string" ? { ...failure, reason: error } : error);
}

/**
 * The live session that began a request. An expired access token is accepted while the session is live; the session of
 * another user or device in this browser is not.
 */
async function findRequestSession(deps: SsoDeps, { request, input }: LiveRequest): Promise<SessionView | undefined> {
  const present = await identifyCaller(deps, input.accessToken);
  if (request.sessionId === null || (present.ok && present.value.id !== request.sessionId)) return undefined;
  const session = await deps.revocations.session(request.sessionId);
  return session?.userId === request.userId ? session : undefined;
}

/** Verifies a response; a refused response leaves the request usable. */
async function identifyOnce(deps: SsoDeps, live: LiveRequest): Promise<Result<IdentifiedResponse, SsoFailure>> {
  const identified = await live.identify();
  if (!identified.ok) await restoreRequest(deps, live);
  return identified;
}

/** The identity in a verified response. */
export interface IdentifiedResponse {
  /** Displayed by the result of a test. */
  readonly received: ReceivedValues;
  readonly asserted: AssertedIdentity;
}

interface CodeResponse extends Pick<LiveRequest, "request" | "proof"> {
  readonly connection: OidcConnection;
  readonly parameters: URLSearchParams;
}

async function identifyByCode(
  deps: SsoDeps,
  { connection, request, proof, parameters }: CodeResponse,
): Promise<Result<IdentifiedResponse, SsoFailure>> {
  if (request.connectionRevision !== connection.revision) return err({ step: "request", reason: "state" });
  const exchange = { state: proof.state, ...browserProof(proof.browserToken, proof.state) };
  const details = { maxAge: acceptedAge(request) };
  const redeem = () => partyOf(deps, connection).redeem(parameters, exchange, details);
  const redeemed = await timeVerification(deps.telemetry, "oidc", () => inProviderSpan(deps.telemetry, "sso", redeem));
  if (!redeemed.ok) return err({ step: "response", ...redeemed.error });
  const mapped = mapClaims(connection.config, redeemed.value);
  return mapped.ok
    ? ok({ received: receivedClaims(redeemed.value), asserted: mapped.value })
    : err({ step: "response", reason: mapped.error });
}

/** Seconds since the authentication at the identity provider: the request for a step-up asks for a new one. */
export function acceptedAge({ intent, maxAge }: Pick<SsoRequest, "intent" | "maxAge">): number | undefined {
  return intent === "step_up" ? STEP_UP_WINDOW_MS / 1000 : (maxAge ?? undefined);
}
