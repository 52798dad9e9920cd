import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { PlatformRole } from "../../models/user/platform-role.ts";
import type { Actor } from "./audit-event.ts";
import { authorizeMember } from "./authorize-member.ts";
import { authorizePlatformRole, type PlatformRoleDeps } from "./authorize-platform-role.ts";
import type { CallerCredential } from "./lock-credential.ts";

const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");

declare const authorized: unique symbol;

/**
 * A person who may see service accounts and webhooks: of an organization as its owner or admin, of the platform as a
 * Viewer or higher. Only this file constructs one.
 */
export interface MachineReader {
  readonly [authorized]: "reader" | "admin";
  readonly session: SessionView;
  /** Null: of the platform. */
  readonly organizationId: string | null;
}

/** A person who may change them too: of the platform as an Admin or higher. */
export interface MachineAdmin extends MachineReader {
  readonly [authorized]: "admin";
  /** Who acts, in audit records. */
  readonly actor: Actor;
  readonly credential: CallerCredential;
}

type Authorized<Caller> = Promise<Result<Caller, Refusal<"forbidden" | "mfa_required" | "not_found">>>;

/**
 * Authorizes a person to manage the machines of an organization, or of the platform for null. Refuses with `not_found`
 * for an organization that the caller does not belong to, `forbidden`.
 */
export async function authorizeMachines(
  deps: PlatformRoleDeps,
  session: SessionView,
  organizationId: string | null,
): Authorized<MachineAdmin> {
  const entered = await authorizeHome(deps, session, organizationId, "admin");
  if (!entered.ok) return entered;
  const actor = { userId: session.userId, organizationId };
  const credential = { kind: "session", id: session.id, userId: session.userId } as const;
  return ok({ session, organizationId, actor, credential } as unknown as MachineAdmin);
}

/** Authorizes a person to see them. Refuses like `authorizeMachines`. */
export async function authorizeMachineReader(
  deps: PlatformRoleDeps,
  session: SessionView,
  organizationId: string | null,
): Authorized<MachineReader> {
  const entered = await authorizeHome(deps, session, organizationId, "viewer");
  return entered.ok ? ok({ session, organizationId } as unknown as MachineReader) : entered;
}

/** `least`: the platform role, where it is the platform's. */
async function authorizeHome(
  deps: PlatformRoleDeps,
  session: SessionView,
  organizationId: string | null,
  least: PlatformRole,
): Promise<Result<unknown, Refusal<"forbidden" | "mfa_required" | "not_found">>> {
  if (organizationId === null) return await authorizePlatformRole(deps, session, least);
  const member = await authorizeMember(deps, session, organizationId);
  return member.ok && member.value.role === "member" ? err(NOT_ALLOWED) : member;
}
