import type { Sql } from "../../../database/database.ts";
import { findKeptPower, saveConfirmedPower } from "../../../models/channel/confirmed-power.ts";
import type { Channel } from "../../../vocabulary/channels.ts";
import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { joinPowers, NO_POWER } from "../power/holder-power.ts";
import type { ChannelHolder } from "./channels.ts";

/**
 * Stores the power that a member confirmed for connections: members with the granted roles sign in, and no member
 * with more power does. The present power of the activator is not stored.
 */
export async function confirmConnections(
  sql: Sql,
  channels: readonly ChannelHolder[],
  powers: readonly MemberPower[],
): Promise<void> {
  const kinds: readonly Channel[] = ["role_rule", "default_role"];
  const ids = new Set(channels.filter(({ channel }) => kinds.includes(channel)).map(({ id }) => id));
  for (const id of ids) {
    const kept = await findKeptPower(sql, id);
    await saveConfirmedPower(sql, id, { ...kept, ...powers.reduce(joinPowers, kept ?? NO_POWER) });
  }
}

/** Ends a confirmed power beyond the power of the user who changed what the connection asserts. */
export async function endConfirmation(sql: Sql, connectionId: string, power: MemberPower): Promise<void> {
  const kept = await findKeptPower(sql, connectionId);
  if (kept && !mayChange(power, kept)) await saveConfirmedPower(sql, connectionId, { ...kept, ...NO_POWER });
}
