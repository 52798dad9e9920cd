import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { listPowers } from "../../../models/member/members.ts";
import { covers, type MemberPower } from "../../../vocabulary/member-power.ts";
import { joinPowers } from "../power/holder-power.ts";
import { authorizeGrant, type GrantRequest } from "./authorize-grant.ts";
import type { ChannelHolder } from "./channels.ts";

/** A grant to members of an organization. */
export interface MemberGrant extends Omit<GrantRequest, "members"> {
  readonly userIds: readonly string[];
  /** What the members get beside their power. */
  readonly added: MemberPower;
}

/** As `authorizeGrant`, for the members who lack a part of what they get. */
export async function authorizeMemberGrant(
  sql: Sql,
  { userIds, added, ...request }: MemberGrant,
  confirm: boolean,
): Promise<Result<readonly ChannelHolder[], Refusal<"conflict">>> {
  const powers = userIds.length === 0 ? [] : await listPowers(sql, request.organizationId, userIds);
  const raised = powers.filter((power) => !covers(power, added));
  const members = raised.map(({ userId, ...power }) => ({ userId, power: joinPowers(power, added) }));
  if (members.length === 0 && !request.powers?.length) return ok([]);
  return await authorizeGrant(sql, { ...request, members }, confirm);
}
