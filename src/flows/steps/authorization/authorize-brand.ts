import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { BrandOwner } from "../../../models/brand/brand.ts";
import type { Actor } from "../audit/audit-event.ts";
import { authorizePrincipal } from "./authorize-member.ts";
import { authorizePlatform, type Principal } from "./authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "./authorize-stepped-up-admin.ts";
import { authorized } from "./authorized.ts";

declare const mark: unique symbol;

/** A user authorized to read the brand of an owner. Only this file constructs a reader. */
export interface BrandReader {
  readonly [mark]: "reader" | "administrator";
  readonly owner: BrandOwner;
}

/** A user authorized to change the brand of an owner. */
export interface BrandAdministrator extends BrandReader {
  readonly [mark]: "administrator";
  readonly actor: Actor;
}

type Authorized<Caller> = Promise<Result<Caller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>>;

/** Authorizes reads: a member with `organization.update`; a platform Viewer or higher for an application. */
export async function authorizeBrandReader(
  deps: StoreDeps,
  principal: Principal,
  owner: BrandOwner,
): Authorized<BrandReader> {
  if (owner.kind === "organization") return await authorizeBrandAdministrator(deps, principal, owner);
  return await authorizePlatformBrandReader(deps, principal, owner);
}

/** Authorizes reads in the console: a platform Viewer or higher, for every owner. */
export async function authorizePlatformBrandReader(
  deps: StoreDeps,
  principal: Principal,
  owner: BrandOwner,
): Authorized<BrandReader> {
  const allowed = await authorizePlatform(deps, principal, "oauth_clients.read");
  return allowed.ok ? ok(authorized<BrandReader>({ owner })) : allowed;
}

/**
 * Authorizes changes: a member with `organization.update`; a platform Admin or higher with a step-up for an
 * application.
 */
export async function authorizeBrandAdministrator(
  deps: StoreDeps,
  principal: Principal,
  owner: BrandOwner,
): Authorized<BrandAdministrator> {
  if (owner.kind === "application") return await authorizePlatformBrandAdministrator(deps, principal, owner);
  const member = await authorizePrincipal(deps, principal, owner.id, "organization.update");
  return member.ok ? ok(administratorOf(owner, member.value.actor)) : member;
}

/**
 * Authorizes changes in the console: a platform Admin or higher with a step-up, for every owner. The record of a change
 * of an organization belongs to the organization, whose administrators read the record.
 */
export async function authorizePlatformBrandAdministrator(
  deps: StoreDeps,
  principal: Principal,
  owner: BrandOwner,
): Authorized<BrandAdministrator> {
  const allowed = await authorizeSteppedUpPlatform(deps, principal, "oauth_clients.write");
  if (!allowed.ok) return allowed;
  const { actor } = allowed.value;
  return ok(administratorOf(owner, owner.kind === "organization" ? { ...actor, organizationId: owner.id } : actor));
}

function administratorOf(owner: BrandOwner, actor: Actor): BrandAdministrator {
  return authorized<BrandAdministrator>({ owner, actor });
}
