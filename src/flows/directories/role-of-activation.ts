/** The role with which a directory activates a member (docs/contract.md, section 31.5). */
import { inertName } from "../../base/display-name.ts";
import { findGroupRole } from "../../models/directory/managed-account.ts";
import { noticeTime } from "../../models/email/email.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { isKeyOfOwner, keyCovers } from "../steps/channels/key-power.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { directoryLink } from "./directory-link.ts";
import type { DirectoryWrite, ProvisionedRecord } from "./directory-write.ts";

/** The role of the groups; undefined without a group that has a role, and while groups grant no role. */
export async function mappedRole({ sql, directory }: DirectoryWrite, { id }: ProvisionedRecord) {
  return directory.roleSource === "groups" ? await findGroupRole(sql, id) : undefined;
}

/** The role of a new membership. `withheld`: the former role, which the key must not restore. */
interface ActivatedRole {
  readonly role: MemberRole;
  readonly withheld?: MemberRole;
}

/** The role of the groups, else of an accepted invitation, else the default role; else the former role. */
export async function roleOf(
  write: DirectoryWrite,
  record: ProvisionedRecord,
  { invited, isNewRecord }: { readonly invited: MemberRole | undefined; readonly isNewRecord: boolean },
): Promise<ActivatedRole> {
  const { directory } = write;
  // An invitation as owner needs the invited person.
  const accepted = invited === "owner" ? "admin" : invited;
  if (isNewRecord) return { role: accepted ?? directory.defaultRole };
  const { formerRole } = record;
  const isFormer = formerRole === "owner" || directory.roleSource === "none";
  if (!isFormer || formerRole === null) {
    return { role: (await mappedRole(write, record)) ?? accepted ?? directory.defaultRole };
  }
  if (await mayReactivate(write, formerRole)) return { role: formerRole };
  return { role: formerRole === "owner" ? "member" : (accepted ?? directory.defaultRole), withheld: formerRole };
}

/** The grant `reactivation`: a key restores a former role within its power, and a key of a present owner an owner. */
async function mayReactivate({ sql, caller }: DirectoryWrite, formerRole: MemberRole): Promise<boolean> {
  const { organizationId, key } = caller;
  if (formerRole === "owner") return await isKeyOfOwner(sql, organizationId, key.id);
  return await keyCovers(sql, organizationId, key.id, { role: formerRole, granted: [] });
}

/** The owners learn that a directory restored a member without the former role. */
export async function noticeWithheldRole({ deps, sql, caller, at }: DirectoryWrite): Promise<void> {
  const { organizationId, client } = caller;
  const organization = await findOrganization(sql, organizationId);
  const values = {
    organization_name: inertName(organization?.name ?? ""),
    time: noticeTime(at),
    link: directoryLink(deps),
  };
  await mailOwners(deps, sql, organizationId, { kind: "directory_role_withheld", values }, { client, at });
}
