import type { Sql } from "../../../database/database.ts";
import { saveConfirmedPower } from "../../../models/channel/confirmed-power.ts";
import type { MemberPower } from "../../../models/member/member.ts";
import { type ChannelHolder, joinPowers, NO_POWER } from "./channels.ts";

/**
 * Stores the power that a member confirmed for connections: members with the granted roles sign in, and nobody with
 * more power does. The present power of the activator is not stored.
 */
export async function confirmConnections(
  sql: Sql,
  channels: readonly ChannelHolder[],
  powers: readonly MemberPower[],
): Promise<void> {
  for (const { channel, id, person, confirmed } of channels) {
    if (channel !== "role_rule" && channel !== "default_role") continue;
    const power = powers.reduce(joinPowers, confirmed ?? NO_POWER);
    await saveConfirmedPower(sql, id, { ...power, activatedBy: person?.id ?? null });
  }
}
