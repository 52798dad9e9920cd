/** The user and the organization of a preview, by the address and the slug that an administrator types. */
import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { normalizeEmail } from "../../../models/user/email-address.ts";
import { findUserIdByEmail } from "../../../models/user/user-address.ts";
import { findOrganizationOf } from "../../organizations/search.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";

interface Previewed {
  readonly userId: string;
  /** Undefined without a slug: the user's last organization. */
  readonly organizationId: string | undefined;
}

/** A refusal names the field `user` or `organization_slug`. */
export async function findPreviewed(
  deps: Pick<Deps, "reads">,
  caller: PlatformCaller,
  { address, slug }: { readonly address: string; readonly slug: string },
): Promise<Result<Previewed, Refusal<"invalid_input">>> {
  const email = normalizeEmail(address);
  const userId =
    email === undefined
      ? undefined
      : await deps.reads.run("claims.find_user", caller.reader, (sql) => findUserIdByEmail(sql, email, undefined));
  if (userId === undefined) return err(invalidInput("user", "unknown_value", "no user has the address"));
  if (slug === "") return ok({ userId, organizationId: undefined });
  const organization = await findOrganizationOf(deps, caller, slug);
  return organization
    ? ok({ userId, organizationId: organization.id })
    : err(invalidInput("organization_slug", "unknown_value", "no organization has the slug"));
}
