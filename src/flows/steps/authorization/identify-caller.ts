import { NOT_SIGNED_IN, type Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { verifyToken } from "../tokens/verify-own-token.ts";

/**
 * Finds the live session of an access token. The token only identifies the session; user, organization and role come
 * from the server, so that a change after the signature takes effect at once. Throws when the state of the session
 * cannot be read (docs/contract.md, section 3.8).
 */
export async function identifyCaller(
  deps: SessionDeps,
  accessToken: string | undefined,
): Promise<Result<SessionView, Refusal<"authentication_required">>> {
  if (!accessToken) return err(NOT_SIGNED_IN);
  const claims = await verifyToken(deps, accessToken, "access");
  if (!claims) return err(NOT_SIGNED_IN);
  const session = await deps.revocations.session(claims.sid);
  return session && session.userId === claims.sub ? ok(session) : err(NOT_SIGNED_IN);
}
