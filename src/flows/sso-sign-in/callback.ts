import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { SSO_REQUESTS_MAX } from "../../limits/sso-sign-in-limits.ts";
import { browserProof, isOauthToken } from "../../models/oauth-state/oauth-state.ts";
import { markSuccess } from "../../models/sso-connection/connection-use.ts";
import {
  consumeSsoRequest,
  insertSsoRequest,
  type RequestProof,
  type SsoRequest,
} from "../../models/sso-request/sso-request.ts";
import type { VerifiedClaims } from "../../providers/sso/openid-tokens.ts";
import { inProviderSpan } from "../../telemetry/spans.ts";
import { finishSsoTest } from "../sso-tests/finish.ts";
import { CHANGED_MEANWHILE, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import { completeSsoSession } from "./complete.ts";
import { findUsable, isRoutable, partyOf, type SsoDeps, type UsableConnection } from "./connection.ts";
import { type AssertedIdentity, mapClaims } from "./map-claims.ts";
import { provisionMember } from "./provision.ts";
import { recordFailure, recordSuccess, recordUnrequested, type SsoStep } from "./record-attempt.ts";
import { type SsoProblem, type SsoReason, ssoRefusal, ssoUnavailable, UNKNOWN_REQUEST } from "./refusals.ts";
import { NO_CONNECTION } from "./start.ts";

export interface SsoCallback {
  readonly connectionId: string;
  /** The query of the redirect from the identity provider. */
  readonly parameters: URLSearchParams;
  /** The value of the cookie from the start. */
  readonly browserToken: string | undefined;
  readonly client: RequestContext;
}

export interface SsoSignedIn {
  /** Undefined after a test. */
  readonly signedIn: SignInResult | undefined;
  readonly redirectTo: string;
}

/** `redirectTo`: the value from the start, once the request is known. */
export type SsoCallbackRefusal = Refusal<SsoProblem | "not_found"> & { readonly redirectTo?: string };

/** A live request with the values that the browser presented. */
interface LiveRequest {
  readonly connection: UsableConnection;
  readonly request: SsoRequest;
  readonly proof: RequestProof;
  readonly input: SsoCallback;
}

interface Failure {
  readonly step: SsoStep;
  readonly reason: SsoReason;
  readonly cause?: string;
  readonly unreachable?: boolean;
  readonly email?: string | undefined;
  readonly userId?: string | null;
}

/**
 * GET /v1/auth/sso/:connection_id/callback (docs/contract.md, section 29.11): consumes the request, redeems the code,
 * provisions the member and inserts the bound session.
 */
export async function completeSsoSignIn(
  deps: SsoDeps,
  input: SsoCallback,
): Promise<Result<SsoSignedIn, SsoCallbackRefusal>> {
  const connection = findUsable(deps, input.connectionId);
  const live = connection && (await consumeRequest(deps, connection, input));
  if (live?.request.intent === "test") return await completeTest(deps, live);
  if (!connection || !isRoutable(deps, connection)) return err(NO_CONNECTION);
  if (!live) {
    await recordUnrequested(deps, { connection, client: input.client, step: "request" });
    return err(UNKNOWN_REQUEST);
  }
  const { redirectTo } = live.request;
  const completed = await complete(deps, live);
  if (completed.ok) return ok({ signedIn: completed.value, redirectTo });
  if ("code" in completed.error) return err({ ...completed.error, redirectTo });
  return err({ ...(await refuse(deps, live, completed.error)), redirectTo });
}

/** Stores the result for the administrators; the browser continues at the page of the connection. */
async function completeTest(deps: SsoDeps, live: LiveRequest): Promise<Result<SsoSignedIn, never>> {
  const { connection, request, proof, input } = live;
  const outcome = await identify(deps, live);
  const { userId, redirectTo } = request;
  await finishSsoTest(deps, { connection, state: proof.state, userId, client: input.client, outcome });
  return ok({ signedIn: undefined, redirectTo });
}

async function consumeRequest(
  deps: SsoDeps,
  connection: UsableConnection,
  input: SsoCallback,
): Promise<LiveRequest | undefined> {
  const state = input.parameters.get("state");
  const { browserToken } = input;
  if (!isOauthToken(state) || !isOauthToken(browserToken)) return undefined;
  const proof = { state, browserToken };
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("sso_request.consume", (sql) =>
    consumeSsoRequest(sql, proof, connection.id, at),
  );
  return request && { connection, request, proof, input };
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
  { reason, cause, unreachable = false, ...attempt }: Failure,
): Promise<Refusal<SsoProblem>> {
  await recordFailure(deps, { connection, client: input.client, ...attempt }, reason, unreachable);
  const refusal = unreachable ? ssoUnavailable(reason) : ssoRefusal(reason);
  return { ...refusal, cause: cause === undefined ? reason : `${reason}: ${cause}` };
}

async function complete(
  deps: SsoDeps,
  live: LiveRequest,
): Promise<Result<SignInResult, Failure | Refusal<"rate_limited">>> {
  const { connection, input } = live;
  const identified = await identify(deps, live);
  if (!identified.ok) {
    await restoreRequest(deps, live);
    return identified;
  }
  const { asserted } = identified.value;
  const { email } = asserted;
  const provisioning = { connection, asserted, client: input.client, at: new Date(deps.clock.now()) };
  const provisioned = await provisionMember(deps, provisioning);
  if (!provisioned.ok) return err({ step: "account", email, ...provisioned.error });
  const { userId, warning } = provisioned.value;
  const signedIn = await completeSsoSession(deps, provisioning, provisioned.value);
  if (!signedIn.ok) {
    const overtaken: Failure = { step: "session", reason: "changed", email, userId };
    return err(signedIn.error === CHANGED_MEANWHILE ? overtaken : signedIn.error);
  }
  await recordSuccess(deps, { connection, client: input.client, step: "session", email, userId, warning });
  await deps.database.run("sso_connection.mark_success", (sql) => markSuccess(sql, connection.id, provisioning.at));
  return signedIn;
}

interface IdentifiedResponse {
  readonly claims: VerifiedClaims;
  readonly asserted: AssertedIdentity;
}

/** Verifies the response of the identity provider, and reads the identity by the mapping of the connection. */
async function identify(
  deps: SsoDeps,
  { connection, request, proof, input }: LiveRequest,
): Promise<Result<IdentifiedResponse, Failure>> {
  if (request.connectionRevision !== connection.revision) return err({ step: "request", reason: "state" });
  const exchange = { state: proof.state, ...browserProof(proof.browserToken, proof.state) };
  const details = { maxAge: request.maxAge ?? undefined };
  const redeemed = await inProviderSpan(deps.telemetry, "sso", () =>
    partyOf(deps, connection).redeem(input.parameters, exchange, details),
  );
  if (!redeemed.ok) return err({ step: "response", ...redeemed.error });
  const mapped = mapClaims(connection.config, redeemed.value);
  return mapped.ok
    ? ok({ claims: redeemed.value, asserted: mapped.value })
    : err({ step: "response", reason: mapped.error });
}
