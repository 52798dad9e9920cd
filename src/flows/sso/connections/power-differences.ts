/** The change of the power behind a connection, before the confirmation (docs/contract.md, sections 29.6 and 29.12). */
import type { Deps } from "../../../deps.ts";
import { POWER_DIFFERENCES_LISTED, POWER_DIFFERENCES_READ } from "../../../limits/power-limits.ts";
import { listPowerOfMembers, type PowerfulMember } from "../../../models/channel/bound-session.ts";
import { findConnectionHolder } from "../../../models/channel/channel-holder.ts";
import type { SsoConnection } from "../../../models/sso-connection/sso-connection.ts";
import { findPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { holds, mayChange } from "../../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { NO_POWER, powerOfHolder } from "../../steps/power/holder-power.ts";

/** A member of a list. */
export interface ListedMember extends Omit<PowerfulMember, "name"> {
  /** Null: the caller has no permission to read the members. */
  readonly name: string | null;
}

/** At most `POWER_DIFFERENCES_LISTED` members. */
export interface MemberList {
  readonly members: readonly ListedMember[];
  /** Further members are left out. */
  readonly isPartial: boolean;
}

export interface PowerDifferences {
  /** Members whom the caller covers, and the present responsible person does not. */
  readonly newlyCovered: MemberList;
  /** Members whom the caller does not cover. */
  readonly notCovered: MemberList;
  /** Keys of the roles that the policy gives users of the connection, without `member`. */
  readonly roles: readonly string[];
}

/** What changes when the caller becomes responsible for a connection. No one is responsible for an inactive one. */
export async function readPowerDifferences(
  { database }: Pick<Deps, "database">,
  caller: OrganizationCaller,
  connection: SsoConnection,
): Promise<PowerDifferences> {
  return await database.run("sso_connection.compare_power", async (sql) => {
    const { organizationId } = caller;
    const [members, holder, policy] = await Promise.all([
      listPowerOfMembers(sql, organizationId, POWER_DIFFERENCES_READ),
      connection.status === "active" ? findConnectionHolder(sql, connection) : undefined,
      findPolicy(sql, organizationId),
    ]);
    const before = holder ? powerOfHolder(holder) : NO_POWER;
    const isPartial = members.length === POWER_DIFFERENCES_READ;
    const mayRead = holds(caller, "members.list");
    const listOf = (found: readonly PowerfulMember[]): MemberList => ({
      members: found.slice(0, POWER_DIFFERENCES_LISTED).map((each) => ({ ...each, name: mayRead ? each.name : null })),
      isPartial: isPartial || found.length > POWER_DIFFERENCES_LISTED,
    });
    const roles = [policy.defaultRole, ...policy.roleRules.map(({ role }) => role)];
    return {
      newlyCovered: listOf(members.filter((member) => mayChange(caller, member) && !mayChange(before, member))),
      notCovered: listOf(members.filter((member) => !mayChange(caller, member))),
      roles: [...new Set(roles)].filter((role) => role !== "member"),
    };
  });
}
