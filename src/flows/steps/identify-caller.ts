import { NOT_SIGNED_IN } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { openToken } from "./open-token.ts";

/**
 * The live session that an access token stands for. The token says only which session; who, where and as what is judged on the
 * server, so a role or an organization that changed since the token was signed counts at once. Refuses with
 * `authentication_required`; throws when nobody can tell.
 */
export async function identifyCaller(
  needs: Pick<Deps, "keyRing" | "verifiedTokens" | "clock" | "config" | "revocations">,
  accessToken: string | undefined,
): Promise<Result<SessionView>> {
  if (!accessToken) return refuse(NOT_SIGNED_IN);
  const claims = await openToken(needs, accessToken, "access");
  if (!claims) return refuse(NOT_SIGNED_IN);
  const session = await needs.revocations.session(claims.sid);
  return session && session.userId === claims.sub ? ok(session) : refuse(NOT_SIGNED_IN);
}
