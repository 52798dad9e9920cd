/** The power of the person responsible for a channel. */
import type { HolderRow } from "../../../models/channel/channel-holder.ts";
import { isAtLeast, type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";

/** The power of a person without a membership. */
export const NO_POWER: MemberPower = { role: "member", granted: [] };
/** The power of an owner. */
export const FULL_POWER: MemberPower = { role: "owner", granted: [] };

type PersonPower = Pick<HolderRow, "confirmed" | "granted" | "isDisabled" | "isPlatformAdministrator" | "role">;

/** The present power; undefined without a membership, and for a disabled or erased account. */
export function presentPower(row: Omit<PersonPower, "confirmed">): MemberPower | undefined {
  return row.isDisabled ? undefined : memberPower(row);
}

/** What a grant through the channel is compared with: the present power, and the power that a person confirmed. */
export function grantingPower(row: PersonPower): MemberPower {
  return joinPowers(presentPower(row) ?? NO_POWER, row.confirmed ?? NO_POWER);
}

/** Everything behind a connection, for its successor: also the power at the end of the membership. */
export function powerOfHolder(row: PersonPower): MemberPower {
  return joinPowers(ownPower(row), row.confirmed ?? NO_POWER);
}

/** The present power of a member; of a former member, the power at the end of the membership. */
export function ownPower(row: PersonPower): MemberPower {
  return memberPower(row) ?? row.confirmed?.departed ?? NO_POWER;
}

/**
 * Whether a connection signs a member in. After the departure of the person behind the connection: a member with no
 * more power than the member had at the departure (`kept`), as far as the person had the power too.
 */
export function coversSignIn(row: PersonPower, member: MemberPower, kept: MemberPower | null): boolean {
  const confirmed = row.confirmed ?? NO_POWER;
  const present = memberPower(row);
  if (mayChange(joinPowers(present ?? NO_POWER, confirmed), member)) return true;
  if (present || kept === null) return false;
  return mayChange(kept, member) && mayChange(powerOfHolder(row), member);
}

/** Whether the person counts with a power of the person's own in the organization. A disabled account is a member. */
export function memberPower({
  role,
  granted,
  isPlatformAdministrator,
}: Pick<PersonPower, "granted" | "isPlatformAdministrator" | "role">): MemberPower | undefined {
  if (isPlatformAdministrator) return FULL_POWER;
  return role === null ? undefined : { role, granted };
}

/** The power of someone with both powers. */
export function joinPowers(one: MemberPower, other: MemberPower): MemberPower {
  const role = isAtLeast(one.role, other.role) ? one.role : other.role;
  return { role, granted: [...new Set([...one.granted, ...other.granted])] };
}
