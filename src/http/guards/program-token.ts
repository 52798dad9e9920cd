/** The guard of access tokens of service accounts (docs/contract.md, section 35.10). */
import { NOT_SIGNED_IN, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  type PresentedProof,
  proofClientOf,
  type VerifyProofDeps,
  verifyProof,
} from "../../flows/oauth/request/verify-proof.ts";
import {
  findProgram,
  type IdentifyProgramDeps,
  verifyProgramToken,
} from "../../flows/steps/authorization/identify-program.ts";
import type { ProgramClaims } from "../../models/token/program-claims.ts";
import type { KeyCaller } from "./api-key.ts";
import { bearerToken, dpopToken } from "./bearer.ts";

export type ProgramTokenDeps = IdentifyProgramDeps & VerifyProofDeps & Pick<Deps, "verifiedTokens">;

type Problem = Refusal<"authentication_required">;

/** Reads the context of a request, for the record of a repeated proof. */
export type ContextReader = () => RequestContext;

/**
 * The service account of an Authorization header; undefined: the header has no access token of a service account. A
 * verified session token costs one look-up in memory.
 */
export async function findProgramCaller(
  deps: ProgramTokenDeps,
  request: Request,
  authorization: string,
  context: ContextReader,
): Promise<Result<KeyCaller, Problem> | undefined> {
  const bearer = bearerToken(authorization);
  const token = bearer ?? dpopToken(authorization);
  if (token === undefined || deps.verifiedTokens.get(token)) return undefined;
  const claims = await verifyProgramToken(deps, token);
  if (!claims) return undefined;
  const proven = await checkProof(deps, { request, token, claims, isBearer: bearer !== undefined, context });
  if (!proven.ok) return proven;
  const key = await findProgram(deps, claims);
  return key ? ok({ key, via: "key" }) : err(NOT_SIGNED_IN);
}

interface PresentedToken {
  readonly request: Request;
  readonly token: string;
  readonly claims: ProgramClaims;
  readonly isBearer: boolean;
  readonly context: ContextReader;
}

/** A token that is bound to a key needs a proof of the key, and no other token has the scheme DPoP (RFC 9449, 7.1). */
async function checkProof(
  deps: ProgramTokenDeps,
  { request, token, claims, isBearer, context }: PresentedToken,
): Promise<Result<void, Problem>> {
  if (claims.cnf === undefined) return isBearer ? ok(undefined) : err(withoutProof("the token is bound to no key"));
  if (isBearer) return err(withoutProof("the token is bound to a key"));
  const presented = readProof(request, context);
  const proof = await verifyProof(deps, presented, { client: proofClientOf(claims.sub), accessToken: token });
  if (!proof.ok) return err({ ...NOT_SIGNED_IN, cause: proof.error.description, proofError: proof.error.oauth });
  return proof.value === claims.cnf.jkt ? ok(undefined) : err(withoutProof("the proof is of another key"));
}

function readProof(request: Request, context: ContextReader): PresentedProof {
  const proof = request.headers.get("dpop");
  const { method, url } = request;
  return proof === null ? { proof } : { proof, method, path: new URL(url).pathname, requestContext: context() };
}

function withoutProof(cause: string): Problem {
  return { ...NOT_SIGNED_IN, cause, proofError: "invalid_dpop_proof" };
}
