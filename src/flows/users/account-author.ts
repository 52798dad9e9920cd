/** Who creates and changes accounts, and what the caller may give (docs/contract.md, section 36.1). */
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { isSlug } from "../../models/organization/slug.ts";
import { organizationsBySlug } from "../../models/user-import/user-import.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import type { MembershipField } from "./account-fields.ts";

/** A caller with `users.write`, with the further permissions of the request. */
export interface AccountAuthor {
  readonly caller: PlatformCaller;
  /** Whether the caller has a further permission. */
  readonly holds: (permission: "members.add" | "organizations.write" | "users.credentials") => boolean;
  /** The caller in an organization; `not_found` outside of the reach. */
  readonly callerIn: (
    organizationId: string,
  ) => Promise<Result<OrganizationCaller, Refusal<"forbidden" | "not_found">>>;
  readonly client: RequestContext;
}

/** A membership of a request, with the caller in the organization. */
export interface AuthorizedMembership {
  readonly caller: OrganizationCaller;
  readonly role: MemberRole | undefined;
  readonly roleIds: readonly string[] | undefined;
}

const NONE: ReadonlyMap<string, string> = new Map();
const NO_MEMBERSHIPS = byRule(
  "permission",
  refusal("forbidden", "This needs the permission members.add."),
  "members.add",
);
const UNKNOWN = invalidInput("memberships", "unknown_value", "an organization that does not exist");
const TWICE = invalidInput("memberships", "conflicting", "names an organization twice");
export const OWNER_ROLE = byRule(
  "permission",
  refusal("forbidden", "The role owner needs the permission organizations.write."),
  "organizations.write",
);

/** Finds the organizations of memberships, and authorizes the caller there. */
export async function authorizeMemberships(
  deps: Pick<StoreDeps, "database">,
  author: AccountAuthor,
  memberships: readonly MembershipField[],
): Promise<Result<readonly AuthorizedMembership[], Refusal<"forbidden" | "invalid_input">>> {
  if (memberships.length === 0) return ok([]);
  if (!author.holds("members.add")) return err(NO_MEMBERSHIPS);
  const slugs = memberships.flatMap(({ organizationSlug = [] }) => organizationSlug).filter(isSlug);
  const ids =
    slugs.length === 0
      ? NONE
      : await deps.database.run("organization.by_slug", (sql) => organizationsBySlug(sql, slugs));
  const authorized: AuthorizedMembership[] = [];
  for (const { organizationId, organizationSlug, role, roleIds } of memberships) {
    const id = organizationId?.toLowerCase() ?? ids.get(organizationSlug ?? "");
    const caller = id === undefined ? err(UNKNOWN) : await author.callerIn(id);
    if (!caller.ok) return err(caller.error.code === "forbidden" ? { ...caller.error, code: "forbidden" } : UNKNOWN);
    if (authorized.some((each) => each.caller.organizationId === id)) return err(TWICE);
    const given = withOwnerPower(author, caller.value, role);
    if (!given.ok) return given;
    authorized.push({ caller: given.value, role, roleIds });
  }
  return ok(authorized);
}

/** A refusal about a membership of a request: the field is the list. */
export function ofMemberships<Refused extends Refusal>(refused: Refused): Refused {
  return refused.code === "invalid_input"
    ? {
        ...refused,
        message: `memberships: ${refused.message}`,
        fields: [{ field: "memberships", rule: "unknown_value" }],
      }
    : refused;
}

/**
 * The caller with the power for a grant: `organizations.write` of a program counts as every permission of an owner. The
 * role `owner` needs this permission.
 */
export function withOwnerPower(
  { holds }: Pick<AccountAuthor, "holds">,
  caller: OrganizationCaller,
  role: MemberRole | undefined,
): Result<OrganizationCaller, Refusal<"forbidden">> {
  if (caller.role === "owner") return ok(caller);
  if (holds("organizations.write")) return ok({ ...caller, role: "owner" });
  return role === "owner" ? err(OWNER_ROLE) : ok(caller);
}
