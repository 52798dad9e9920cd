/** The power of the person responsible for a channel. */
import type { HolderRow } from "../../../models/channel/channel-holder.ts";
import { isAtLeast, type MemberPower } from "../../../vocabulary/member-power.ts";

/** The power of a person without a membership. */
export const NO_POWER: MemberPower = { role: "member", granted: [] };
const FULL_POWER: MemberPower = { role: "owner", granted: [] };

type PersonPower = Pick<HolderRow, "confirmed" | "granted" | "isPlatformAdministrator" | "role">;

/** The power of the person, with the power that a person confirmed for the channel. */
export function powerOfHolder(row: PersonPower): MemberPower {
  return joinPowers(ownPower(row), row.confirmed ?? NO_POWER);
}

/** The present power of a member; of a former member, the power at the end of the membership. */
export function ownPower({ role, granted, isPlatformAdministrator, confirmed }: PersonPower): MemberPower {
  if (isPlatformAdministrator) return FULL_POWER;
  return role === null ? (confirmed?.departed ?? NO_POWER) : { role, granted };
}

/** The power of someone with both powers. */
export function joinPowers(one: MemberPower, other: MemberPower): MemberPower {
  const role = isAtLeast(one.role, other.role) ? one.role : other.role;
  return { role, granted: [...new Set([...one.granted, ...other.granted])] };
}
