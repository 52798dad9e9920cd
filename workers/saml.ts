import { isMainThread } from "node:worker_threads";
import type {
  SamlJob,
  SamlLogoutRequestJob,
  SamlLogoutRequestResult,
  SamlLogoutResponseJob,
  SamlLogoutResponseResult,
  SamlRefusal,
  SamlResponseJob,
  SamlResponseResult,
  SamlResult,
} from "../src/pool/saml-protocol.ts";
import { readMetadata } from "./saml/idp-metadata.ts";
import { verifyLogoutRequest, verifyLogoutResponse } from "./saml/logout-message.ts";
import { SamlProblem } from "./saml/saml-problem.ts";
import { agrees } from "./saml/second-implementation.ts";
import { agreesOnLogout, agreesOnLogoutResponse } from "./saml/second-logout.ts";
import { verifyStrictly } from "./saml/strict-profile.ts";

type JobOf<Kind extends SamlJob["kind"]> = Extract<SamlJob, { readonly kind: Kind }>;

const RUNNERS: {
  readonly [Kind in SamlJob["kind"]]: (job: JobOf<Kind>) => Promise<SamlResult> | SamlResult;
} = {
  response: runResponseJob,
  logout_request: runLogoutRequestJob,
  logout_response: runLogoutResponseJob,
  metadata: readMetadata,
};

export default async function runSamlJob(job: SamlJob): Promise<SamlResult> {
  try {
    return await RUNNERS[job.kind](job as never);
  } catch (error) {
    // WebAssembly that aborted or ran out of memory has an undefined state: the next job gets a new thread.
    if (!isMainThread) process.exit(1);
    throw error;
  }
}

/** Verifies a response by both implementations. Only the strict profile names a reason for its refusal. */
export async function runResponseJob(job: SamlResponseJob): Promise<SamlResponseResult> {
  return await verifyOrRefuse(async () => {
    const result = verifyStrictly(job);
    if (!(await agrees(job, result))) return DISAGREEMENT;
    return { ok: true, kind: "response", identity: result.identity };
  });
}

/** Verifies a request for a logout by both implementations. */
async function runLogoutRequestJob(job: SamlLogoutRequestJob): Promise<SamlLogoutRequestResult> {
  return await verifyOrRefuse(async () => {
    const strict = verifyLogoutRequest(job);
    if (!(await agreesOnLogout(job, strict))) return DISAGREEMENT;
    return { ok: true, kind: "logout_request", logout: strict.logout };
  });
}

/** Verifies the response to a logout by both implementations. */
async function runLogoutResponseJob(job: SamlLogoutResponseJob): Promise<SamlLogoutResponseResult> {
  return await verifyOrRefuse(async () => {
    verifyLogoutResponse(job);
    return (await agreesOnLogoutResponse(job)) ? { ok: true, kind: "logout_response" } : DISAGREEMENT;
  });
}

const DISAGREEMENT: SamlRefusal = { ok: false, kind: "response", reason: "implementations_disagree" };

async function verifyOrRefuse<Verified>(verify: () => Promise<Verified>): Promise<SamlRefusal | Verified> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof SamlProblem) return error.refusal;
    throw error;
  }
}
