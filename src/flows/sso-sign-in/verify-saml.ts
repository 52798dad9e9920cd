import { err, ok, type Result } from "../../base/result.ts";
import type { PoolRefusal } from "../../pool/protocol.ts";
import type { SamlIdentity, SamlReason } from "../../pool/saml-protocol.ts";
import { requestIdOf } from "../../providers/saml/authn-request.ts";
import type { SamlConnection, SsoDeps } from "./connection.ts";
import { samlTrustOf } from "./saml-party.ts";

/** A response that the browser posted, to a live request. */
export interface PostedResponse {
  readonly connection: SamlConnection;
  /** The form value `SAMLResponse`. */
  readonly message: string;
  /** The `RelayState`. */
  readonly handle: string;
  readonly maxAgeSeconds: number | null;
}

/** `cause` is for the log and the result of a test; without text of the identity provider. */
export type SamlFailure =
  | { readonly kind: "refused"; readonly reason: SamlReason; readonly cause?: string }
  | { readonly kind: "not_judged"; readonly code: PoolRefusal };

/** Verifies a response in a worker. Organizations take turns in the queue of the workers. */
export async function verifySamlResponse(
  deps: SsoDeps,
  { connection, message, handle, maxAgeSeconds }: PostedResponse,
): Promise<Result<SamlIdentity, SamlFailure>> {
  const job = {
    kind: "response",
    message,
    trust: samlTrustOf(deps, connection),
    requestId: requestIdOf(handle),
    maxAgeSeconds,
    now: deps.clock.now(),
  } as const;
  const result = await deps.samlPool.run(job, connection.organizationId);
  if (result.ok) {
    if (result.kind === "response") return ok(result.identity);
    throw new Error("the worker returned the result of another job");
  }
  if (!("kind" in result)) {
    // The time of the worker is a bound of the message.
    return err(result.code === "deadline" ? { kind: "refused", reason: "too_large" } : notJudged(result.code));
  }
  if (result.kind !== "response") throw new Error("the worker returned the result of another job");
  const { reason, statusCode } = result;
  return err({ kind: "refused", reason, ...(statusCode === undefined ? {} : { cause: statusCode }) });
}

function notJudged(code: PoolRefusal): SamlFailure {
  return { kind: "not_judged", code };
}
