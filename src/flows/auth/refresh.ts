import { NOT_SIGNED_IN, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { classifyRefresh, findFamily, rotateSession } from "../../models/session/rotation.ts";
import type { Session } from "../../models/session/session.ts";
import type { SessionClaims } from "../../models/token/claims.ts";
import { endSession } from "../steps/sessions/end-sessions.ts";
import { WRONG_ADDRESS } from "../steps/sessions/organization-rules.ts";
import { type Admission, admit } from "../steps/sign-in/admission.ts";
import { acquireSigningSlot, issueTokens, type TokenPair } from "../steps/tokens/issue-session-tokens.ts";
import { verifyToken } from "../steps/tokens/verify-own-token.ts";

export interface RefreshInput {
  readonly refreshToken: string | undefined;
  /** The limit for the requests of a user. */
  readonly admissionOf: (userId: string) => Admission | undefined;
  readonly client: RequestContext;
}

export interface Refreshed {
  readonly sessionId: string;
  readonly tokens: TokenPair;
}

/** The only refusal that signs the client out: the token is invalid, expired or reused, or the session has ended. */
const SIGNED_OUT = { ...NOT_SIGNED_IN, reason: "signed_out" } as const;

/**
 * POST /v1/auth/refresh (docs/contract.md, section 3.6): one statement compares and replaces the current token; the
 * previous token gets the new pair again for `SERVICE_REFRESH_REPEAT_SECONDS`; any older token revokes the family. The
 * limit of the token's user is counted first, so a refused request leaves the token unchanged. Throws when the database
 * is unavailable: the response is 500 and never 401 (docs/contract.md, section 3.8).
 */
export async function refresh(
  deps: SignInDeps,
  input: RefreshInput,
): Promise<Result<Refreshed, Refusal<"authentication_required" | "forbidden" | "rate_limited">>> {
  const claims = input.refreshToken && (await verifyToken(deps, input.refreshToken, "refresh"));
  if (!claims) return err(SIGNED_OUT);
  const admitted = await admit(deps, input.admissionOf(claims.sub));
  if (!admitted.ok) return admitted;
  const slot = acquireSigningSlot(deps, claims.sub);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const rotated = await rotate(deps, claims, input.client);
  if (!rotated.ok) return rotated;
  const session = rotated.value;
  deps.revocations.forget(session.id);
  return ok({ sessionId: session.id, tokens: await issueTokens(deps, session) });
}

type Rotated = Result<Session, Refusal<"authentication_required" | "forbidden">>;

async function rotate(deps: SignInDeps, claims: SessionClaims, client: RequestContext): Promise<Rotated> {
  const at = deps.clock.now();
  const rotation = {
    sessionId: claims.sid,
    presentedJti: claims.jti,
    nextRefreshJti: deps.random.uuid(),
    nextAccessJti: deps.random.uuid(),
    at,
    ipAddress: client.ipAddress,
    refreshMaxAgeMs: deps.config.tokens.refreshMaxAgeSeconds * 1000,
  };
  const rotated = await deps.database.run("session.rotate", (sql) => rotateSession(sql, rotation));
  return rotated ? ok(rotated) : await findRepeated(deps, claims, at, client);
}

/**
 * Returns the current session to the second of two tabs that refresh at once. A reused token revokes the family; a
 * request from an address that the organization does not permit changes nothing.
 */
async function findRepeated(
  deps: SignInDeps,
  claims: SessionClaims,
  at: number,
  client: RequestContext,
): Promise<Rotated> {
  const asked = { sessionId: claims.sid, ipAddress: client.ipAddress };
  const family = await deps.database.run("session.find_family", (sql) => findFamily(sql, asked, new Date(at)));
  const outcome = classifyRefresh(family, claims.jti, at, deps.config.tokens.refreshRepeatSeconds);
  if (outcome === "reused") {
    const reason = "refresh_reuse";
    const auditAction = "auth.refresh.reuse_detected";
    await endSession(deps, claims.sid, { userId: claims.sub, reason, auditAction, client });
  }
  if (outcome === "wrong_address") return err(WRONG_ADDRESS);
  return outcome === "repeated" && family ? ok(family.session) : err(SIGNED_OUT);
}
