import { isMainThread } from "node:worker_threads";
import type { SamlJob, SamlResponseJob, SamlResponseResult, SamlResult } from "../src/pool/saml-protocol.ts";
import { readMetadata } from "./saml/idp-metadata.ts";
import { SamlProblem } from "./saml/saml-problem.ts";
import { agrees } from "./saml/second-implementation.ts";
import { type StrictResult, verifyStrictly } from "./saml/strict-profile.ts";

export default async function runSamlJob(job: SamlJob): Promise<SamlResult> {
  try {
    return job.kind === "metadata" ? readMetadata(job) : await runResponseJob(job);
  } catch (error) {
    // WebAssembly that aborted or ran out of memory has an undefined state: the next job gets a new thread.
    if (!isMainThread) process.exit(1);
    throw error;
  }
}

/** Verifies a response by both implementations. Only the strict profile names a reason for its refusal. */
export async function runResponseJob(job: SamlResponseJob): Promise<SamlResponseResult> {
  const result = runStrictProfile(job);
  if ("ok" in result) return result;
  if (!(await agrees(job, result))) return { ok: false, kind: "response", reason: "implementations_disagree" };
  return { ok: true, kind: "response", identity: result.identity };
}

function runStrictProfile(job: SamlResponseJob): StrictResult | SamlProblem["refusal"] {
  try {
    return verifyStrictly(job);
  } catch (error) {
    if (error instanceof SamlProblem) return error.refusal;
    throw error;
  }
}
