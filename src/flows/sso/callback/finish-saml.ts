import { isOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { consumeSamlOutcome } from "../../../models/sso-request/saml-outcome.ts";
import { findUsable, isRoutable, type SamlConnection, type SsoDeps } from "../sign-in/connection.ts";
import { recordUnrequested } from "../sign-in/record-attempt.ts";
import { ssoRefusal, UNKNOWN_REQUEST } from "../sign-in/refusals.ts";
import { NO_CONNECTION } from "../sign-in/start.ts";
import type { SamlOutcome } from "./accept-saml.ts";
import {
  applyResponse,
  type LiveRequest,
  type SsoCallback,
  type SsoCallbackRefusal,
  type SsoCompletion,
} from "./callback.ts";

export interface SamlFinish extends Pick<SsoCallback, "connectionId" | "browserToken" | "accessToken" | "client"> {
  /** From the redirect of the assertion consumer service. */
  readonly handle: string | undefined;
}

/** `requestId`: the request with the response, which the administrators find among the attempts. */
export type SamlFinishRefusal = SsoCallbackRefusal & { readonly requestId?: string | null };

/**
 * GET /v1/auth/sso/:connection_id/finish (docs/contract.md, section 29.35): applies a verified response in the browser
 * that began the request.
 */
export async function finishSamlSignIn(
  deps: SsoDeps,
  input: SamlFinish,
): Promise<Result<SsoCompletion, SamlFinishRefusal>> {
  const connection = findUsable(deps, input.connectionId);
  if (connection?.protocol !== "saml") return err(NO_CONNECTION);
  const outcome = await consumeOutcome(deps, connection, input);
  if (outcome?.kind === "refused" && outcome.request.intent !== "test") {
    const { reason, request, requestId } = outcome;
    return err({ ...ssoRefusal(reason), redirectTo: request.redirectTo, intent: request.intent, requestId });
  }
  if (outcome) return await applyResponse(deps, liveRequestOf(connection, input, outcome));
  if (!isRoutable(deps, connection)) return err(NO_CONNECTION);
  await recordUnrequested(deps, { connection, client: input.client, step: "request" });
  return err(UNKNOWN_REQUEST);
}

async function consumeOutcome(
  deps: SsoDeps,
  connection: SamlConnection,
  { handle, browserToken }: SamlFinish,
): Promise<SamlOutcome | undefined> {
  if (!isOpaqueToken(handle) || !isOpaqueToken(browserToken)) return undefined;
  const at = new Date(deps.clock.now());
  return await deps.database.run("sso_outcome.consume", (sql) =>
    consumeSamlOutcome<SamlOutcome>(sql, deps, { state: handle, browserToken }, connection.id, at),
  );
}

function liveRequestOf(connection: SamlConnection, input: SamlFinish, outcome: SamlOutcome): LiveRequest {
  const { state, request } = outcome;
  const identified =
    outcome.kind === "identified"
      ? ok({ received: outcome.received, asserted: outcome.asserted })
      : err({
          step: "response" as const,
          reason: outcome.reason,
          ...(outcome.cause === null ? {} : { cause: outcome.cause }),
        });
  return {
    connection: { ...connection, revision: request.connectionRevision },
    request: { ...request, createdAt: new Date(request.createdAt), expiresAt: new Date(request.expiresAt) },
    proof: { state, browserToken: input.browserToken ?? "" },
    input,
    identify: async () => identified,
  };
}
