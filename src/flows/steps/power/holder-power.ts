/** The power of the person responsible for a channel. */
import type { HolderRow } from "../../../models/channel/channel-holder.ts";
import { holds, isAtLeast, type MemberPower, mayChange, permissionsOf } from "../../../vocabulary/member-power.ts";

/** The power of a person without a membership. */
export const NO_POWER: MemberPower = { role: "member", granted: [] };
/** The power of an owner. */
export const FULL_POWER: MemberPower = { role: "owner", granted: [] };

type PersonPower = Pick<
  HolderRow,
  "confirmed" | "granted" | "isDisabled" | "isPlatformAdministrator" | "role" | "setUpPower"
>;

/** The power behind the channel; undefined without a membership, and for a disabled or erased account. */
export function presentPower(row: Omit<PersonPower, "confirmed">): MemberPower | undefined {
  return row.isDisabled ? undefined : memberPower(row);
}

/** What a grant through the channel is compared with: the power of the person, and the confirmed power. */
export function grantingPower(row: PersonPower): MemberPower {
  return joinPowers(presentPower(row) ?? NO_POWER, row.confirmed ?? NO_POWER);
}

/** Everything behind a connection, for its successor: also the power at the end of the membership. */
export function powerOfHolder(row: PersonPower): MemberPower {
  return joinPowers(ownPower(row), row.confirmed ?? NO_POWER);
}

/** The power of a member, or of a former member at the end of the membership, within the power at the set-up. */
function ownPower(row: PersonPower): MemberPower {
  return memberPower(row) ?? withinSetUp(row, row.confirmed?.departed) ?? NO_POWER;
}

/** What a connection keeps of a person: the power at the end of the membership, whatever the person set up. */
export function departedPower(row: PersonPower): MemberPower {
  return memberPower({ ...row, setUpPower: null }) ?? row.confirmed?.departed ?? NO_POWER;
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

/**
 * The power of the person in the organization, at most the power at the set-up: a later promotion of the person gives
 * the channel nothing. A disabled account is a member.
 */
export function memberPower(
  row: Pick<PersonPower, "granted" | "isPlatformAdministrator" | "role" | "setUpPower">,
): MemberPower | undefined {
  const { role, granted, isPlatformAdministrator } = row;
  if (isPlatformAdministrator) return withinSetUp(row, FULL_POWER);
  return role === null ? undefined : withinSetUp(row, { role, granted });
}

function withinSetUp<Power extends MemberPower | undefined>(
  { setUpPower }: Pick<PersonPower, "setUpPower">,
  power: Power,
): MemberPower | Power {
  return power && setUpPower ? commonPower(power, setUpPower) : power;
}

/** The power of someone with both powers. */
export function joinPowers(one: MemberPower, other: MemberPower): MemberPower {
  const role = isAtLeast(one.role, other.role) ? one.role : other.role;
  return { role, granted: [...new Set([...one.granted, ...other.granted])] };
}

/** The power that both powers have. */
function commonPower(one: MemberPower, other: MemberPower): MemberPower {
  const role = isAtLeast(one.role, other.role) ? other.role : one.role;
  const named = [...permissionsOf(one.role), ...one.granted, ...permissionsOf(other.role), ...other.granted];
  const common = new Set(named.filter((each) => holds(one, each) && holds(other, each)));
  return { role, granted: [...common].filter((each) => !holds({ role, granted: [] }, each)) };
}
