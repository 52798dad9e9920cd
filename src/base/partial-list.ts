import type { Result } from "./result.ts";

/** The usable members of a list that another party wrote, and the reasons for the members without use. */
export interface PartialList<Item, Reason> {
  readonly items: readonly Item[];
  readonly leftOut: readonly Reason[];
}

/**
 * Reads the members of a list one by one: an unusable member never refuses the other members, and is reported. The
 * caller decides whether a list without usable members is refused.
 */
export function readMembers<Member, Item, Reason>(
  members: Iterable<Member>,
  read: (member: Member) => Result<Item, Reason>,
): PartialList<Item, Reason> {
  const items: Item[] = [];
  const leftOut: Reason[] = [];
  for (const member of members) {
    const item = read(member);
    if (item.ok) items.push(item.value);
    else leftOut.push(item.error);
  }
  return { items, leftOut };
}
