import type { Sql } from "../../../database/database.ts";
import type { HolderRow, KeptPower } from "../../../models/channel/channel-holder.ts";
import {
  listActivatedConnections,
  listActivatedOrganizations,
  saveConfirmedPower,
} from "../../../models/channel/confirmed-power.ts";
import { keepMemberPowers } from "../../../models/sso-identity/kept-power.ts";
import { departedPower, memberPower, NO_POWER } from "../power/holder-power.ts";

/**
 * Keeps the power of a member for the connections that the member activated, before the membership ends: the end of a
 * membership keeps no other member from signing in, and adds no power: the power that the signed-in members have now is
 * kept with them. After a return, the power of the new membership counts (docs/contract.md, section 29.12).
 */
export async function keepDepartedPower(sql: Sql, organizationId: string, userId: string): Promise<void> {
  for (const row of await listActivatedConnections(sql, userId, organizationId)) {
    await keepPower(sql, organizationId, row);
  }
}

/** As `keepDepartedPower` in every organization, before the erasure of the account: no id of the user remains. */
export async function keepErasedPower(sql: Sql, userId: string): Promise<void> {
  for (const organizationId of await listActivatedOrganizations(sql, userId)) {
    for (const row of await listActivatedConnections(sql, userId, organizationId)) {
      await keepPower(sql, organizationId, row, true);
    }
  }
}

/** A person who left before has no power to keep: members who were promoted since are not kept. */
async function keepPower(sql: Sql, organizationId: string, row: HolderRow, ofErased = false): Promise<void> {
  if (memberPower(row)) await keepMemberPowers(sql, organizationId, row.id);
  await saveConfirmedPower(sql, row.id, keptPower(row), ofErased);
}

function keptPower(row: HolderRow): KeptPower {
  return { ...(row.confirmed ?? NO_POWER), departed: departedPower(row) };
}
