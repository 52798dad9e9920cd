import type { Sql } from "../../../database/database.ts";
import { findDirectoryPower, findProgramHolder } from "../../../models/channel/channel-holder.ts";
import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { grantingPower, joinPowers, NO_POWER, presentPower } from "../power/holder-power.ts";

/**
 * The power of a key of the directory: of the person who made the key, then and now, and what the directory grants to
 * anyone whom the key puts into a group (docs/contract.md, section 32.9).
 */
async function findKeyPower(sql: Sql, organizationId: string, keyId: string): Promise<MemberPower> {
  const [holder, granted] = await Promise.all([
    findProgramHolder(sql, organizationId, keyId),
    findDirectoryPower(sql, organizationId),
  ]);
  return joinPowers(holder ? grantingPower(holder) : NO_POWER, granted);
}

/** Whether a key of the directory has every permission of a member, or of the former role of a member. */
export async function keyCovers(sql: Sql, organizationId: string, keyId: string, power: MemberPower): Promise<boolean> {
  return mayChange(await findKeyPower(sql, organizationId, keyId), power);
}

/** Whether an owner made a key of the directory, and is an owner now. An administrator of the platform is no owner. */
export async function isKeyOfOwner(sql: Sql, organizationId: string, keyId: string): Promise<boolean> {
  const holder = await findProgramHolder(sql, organizationId, keyId);
  return holder?.role === "owner" && presentPower(holder)?.role === "owner";
}
