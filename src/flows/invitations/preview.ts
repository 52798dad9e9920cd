/** The invitation of a mailed link, as the holder of the link sees the invitation. */
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Deps } from "../../deps.ts";
import { findOfferedInvitation, type OfferedInvitation } from "../../models/invitation/invitation.ts";
import type { SessionView } from "../../models/session/session.ts";
import { mayGrant } from "../../vocabulary/member-power.ts";

const BAD_TOKEN = refusal("authentication_required", "This invitation is not valid any more.");
const ALREADY_USED = refusal("conflict", "This invitation was accepted or revoked.");
export const SIGN_IN_FIRST = { ...NOT_SIGNED_IN, cause: "the invited address has an account" };

/**
 * GET /v1/auth/invitations/preview (docs/contract.md, section 13.5). If the inviter is disabled, has left the
 * organization or may no longer grant the role, the invitation is refused like an expired one (G36).
 */
export async function previewInvitation(
  deps: Pick<Deps, "database" | "clock">,
  token: string,
): Promise<Result<OfferedInvitation, Refusal<"authentication_required" | "conflict">>> {
  const at = new Date(deps.clock.now());
  const offered = isOpaqueToken(token)
    ? await deps.database.run("invitation.find_offered", (sql) => findOfferedInvitation(sql, hashToken(token), at))
    : undefined;
  if (!offered || offered.suspended || offered.status === "expired") return err(BAD_TOKEN);
  if (offered.status !== "pending") return err(ALREADY_USED);
  const { inviterRole, inviterGranted: granted, role } = offered;
  return inviterRole === null || !mayGrant({ role: inviterRole, granted }, role) ? err(BAD_TOKEN) : ok(offered);
}

/** The problem after no row was consumed: the invitation or the account changed since the read. */
export async function refuseChanged(
  deps: Pick<Deps, "database" | "clock">,
  { token, caller }: { readonly token: string; readonly caller: SessionView | undefined },
): Promise<Result<never, Refusal<"authentication_required" | "conflict">>> {
  const current = await previewInvitation(deps, token);
  if (!current.ok) return current;
  return err(!caller && current.value.signInRequired ? SIGN_IN_FIRST : BAD_TOKEN);
}
