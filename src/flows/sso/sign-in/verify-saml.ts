import { err, ok, type Result } from "../../../base/result.ts";
import type { PoolRefusal } from "../../../pool/protocol.ts";
import { exceedsWorkerTime } from "../../../pool/saml-pool.ts";
import type { FormValue, SamlIdentity, SamlJob, SamlReason, SamlResult } from "../../../pool/saml-protocol.ts";
import { requestIdOf } from "../../../providers/saml/authn-request.ts";
import { timeVerification } from "../../../telemetry/spans.ts";
import { learnCertificates } from "../connections/roll-certificates.ts";
import type { SamlConnection, SsoDeps } from "./connection.ts";
import { samlTrustOf } from "./saml-party.ts";

/** A response that the browser posted, to a live request. */
export interface PostedResponse {
  readonly connection: SamlConnection;
  /** The form value `SAMLResponse`. */
  readonly message: FormValue;
  /** The `RelayState`. */
  readonly handle: string;
  readonly maxAgeSeconds: number | null;
}

/** `cause` is for the log and the result of a test; without text of the identity provider. */
export type SamlFailure =
  | { readonly kind: "refused"; readonly reason: SamlReason; readonly cause?: string }
  | { readonly kind: "not_verified"; readonly code: PoolRefusal };

/**
 * Verifies a response in a worker. After a signature by an unknown key, the metadata of the identity provider can add
 * the key: a rollover between two daily readings fails no sign-in.
 */
export async function verifySamlResponse(
  deps: SsoDeps,
  posted: PostedResponse,
): Promise<Result<SamlIdentity, SamlFailure>> {
  return await timeVerification(deps.telemetry, "saml", () => verifyWithNewKeys(deps, posted));
}

async function verifyWithNewKeys(deps: SsoDeps, posted: PostedResponse): Promise<Result<SamlIdentity, SamlFailure>> {
  const verified = await verifyPosted(deps, posted);
  if (verified.ok || verified.error.kind !== "refused" || verified.error.reason !== "key") return verified;
  const { connection } = posted;
  const { metadata_url: metadataUrl, certificates: known } = connection.config;
  const certificates = metadataUrl ? await learnCertificates(deps, connection, known) : undefined;
  if (!certificates) return verified;
  return await verifyPosted(deps, {
    ...posted,
    connection: { ...connection, config: { ...connection.config, certificates } },
  });
}

async function verifyPosted(
  deps: SsoDeps,
  { connection, message, handle, maxAgeSeconds }: PostedResponse,
): Promise<Result<SamlIdentity, SamlFailure>> {
  const verified = await verifyMessage(deps, connection.organizationId, {
    kind: "response",
    message,
    trust: samlTrustOf(deps, connection),
    requestId: requestIdOf(handle),
    maxAgeSeconds,
    now: deps.clock.now(),
  });
  return verified.ok ? ok(verified.value.identity) : verified;
}

type MessageJob = Exclude<SamlJob, { readonly kind: "metadata" }>;
type Accepted<Kind extends MessageJob["kind"]> = Extract<SamlResult, { readonly ok: true; readonly kind: Kind }>;

/** Verifies a message in a worker. Organizations take turns in the queue of the workers. */
export async function verifyMessage<Job extends MessageJob>(
  deps: Pick<SsoDeps, "samlPool">,
  organizationId: string,
  job: Job,
): Promise<Result<Accepted<Job["kind"]>, SamlFailure>> {
  const result = await deps.samlPool.run(job, organizationId);
  if (result.ok) {
    if (result.kind === job.kind) return ok(result as Accepted<Job["kind"]>);
    throw new Error("the worker returned the result of another job");
  }
  if (!("kind" in result)) {
    return err(exceedsWorkerTime(result) ? { kind: "refused", reason: "too_large" } : notVerified(result.code));
  }
  if (result.kind !== "response") throw new Error("the worker returned the result of another job");
  const { reason, statusCode } = result;
  return err({ kind: "refused", reason, ...(statusCode === undefined ? {} : { cause: statusCode }) });
}

function notVerified(code: PoolRefusal): SamlFailure {
  return { kind: "not_verified", code };
}
