import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { BrandOwner } from "../../../models/brand/brand.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { Actor } from "../audit/audit-event.ts";
import { authorizePermission } from "./authorize-member.ts";
import { authorizePlatformRole } from "./authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "./authorize-stepped-up-admin.ts";

declare const authorized: unique symbol;

/** A user authorized to read the brand of an owner. Only this file constructs a reader. */
export interface BrandReader {
  readonly [authorized]: "reader" | "administrator";
  readonly owner: BrandOwner;
}

/** A user authorized to change the brand of an owner. */
export interface BrandAdministrator extends BrandReader {
  readonly [authorized]: "administrator";
  readonly actor: Actor;
}

type Authorized<Caller> = Promise<Result<Caller, Refusal<"forbidden" | "mfa_required" | "not_found">>>;

/** Authorizes reads: a member with `organization.update`; a platform Viewer or higher for an application. */
export async function authorizeBrandReader(
  deps: StoreDeps,
  session: SessionView,
  owner: BrandOwner,
): Authorized<BrandReader> {
  if (owner.kind === "organization") return await authorizeBrandAdministrator(deps, session, owner);
  const allowed = await authorizePlatformRole(deps, session, "viewer");
  return allowed.ok ? ok({ owner } as unknown as BrandReader) : allowed;
}

/**
 * Authorizes changes: a member with `organization.update`; a platform Admin or higher with a step-up for an
 * application.
 */
export async function authorizeBrandAdministrator(
  deps: StoreDeps,
  session: SessionView,
  owner: BrandOwner,
): Authorized<BrandAdministrator> {
  const allowed = await authorizeOwner(deps, session, owner);
  if (!allowed.ok) return allowed;
  return ok({ owner, actor: allowed.value } as unknown as BrandAdministrator);
}

async function authorizeOwner(deps: StoreDeps, session: SessionView, { kind, id }: BrandOwner): Authorized<Actor> {
  if (kind === "application") {
    const administrator = await authorizeSteppedUpAdmin(deps, session);
    return administrator.ok ? ok(administrator.value.actor) : administrator;
  }
  const member = await authorizePermission(deps, session, id, "organization.update");
  return member.ok ? ok(member.value.actor) : member;
}
