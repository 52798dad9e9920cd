import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { Actor } from "./audit-event.ts";
import { authorizeMember } from "./authorize-member.ts";
import { authorizePlatformRole } from "./authorize-platform-role.ts";

const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");

declare const authorized: unique symbol;

/**
 * A person who may manage service accounts and webhooks: of an organization as its owner or admin, of the platform as
 * an Admin or higher. Only this file constructs one.
 */
export interface MachineAdmin {
  readonly [authorized]: true;
  readonly session: SessionView;
  /** Null: of the platform. */
  readonly organizationId: string | null;
  /** Who acts, in audit records. */
  readonly actor: Actor;
}

/**
 * Authorizes a person to manage the machines of an organization, or of the platform for null. Refuses with `not_found`
 * for an organization that the caller does not belong to, `forbidden`.
 */
export async function authorizeMachines(
  deps: Pick<Deps, "database">,
  session: SessionView,
  organizationId: string | null,
): Promise<Result<MachineAdmin, Refusal<"forbidden" | "not_found">>> {
  if (organizationId === null) {
    const administrator = await authorizePlatformRole(deps, session, "admin");
    if (!administrator.ok) return administrator;
  } else {
    const member = await authorizeMember(deps, session, organizationId);
    if (!member.ok) return member;
    if (member.value.role === "member") return err(NOT_ALLOWED);
  }
  const actor = { userId: session.userId, organizationId };
  return ok({ session, organizationId, actor } as unknown as MachineAdmin);
}
