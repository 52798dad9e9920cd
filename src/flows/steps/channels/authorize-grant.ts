import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";

/** The comparison of every grant: who is responsible for the channels, and does their power cover the grant? */

import { type NamedChannel, type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { CHANNELS, type Channel } from "../../../vocabulary/channels.ts";
import { type ChannelHolder, FIND_HOLDERS, findReachedByKeys } from "./channels.ts";
import { COMPARISONS, type Grant } from "./grants.ts";

/** A member with the power after the grant. */
interface GrantedMember {
  readonly userId: string;
  readonly power: MemberPower;
}

export interface GrantRequest {
  readonly organizationId: string;
  readonly grant: Grant;
  /** The members who get more power; compared with the channels that reach their accounts. */
  readonly members?: readonly GrantedMember[];
  /** The powers that a user of a channel gets; several powers are compared one by one. */
  readonly powers?: readonly MemberPower[];
  /** The channels through which `powers` are given; undefined: every channel of the grant. */
  readonly through?: readonly Channel[];
  readonly at: Date;
}

/** The channels whose people lack a part of the power that the grant would give through the channel. */
async function findUncovered(sql: Sql, request: GrantRequest): Promise<readonly ChannelHolder[]> {
  const found = await Promise.all(CHANNELS.map((channel) => findUncoveredOf(sql, request, channel)));
  return found.flat();
}

async function findUncoveredOf(sql: Sql, request: GrantRequest, channel: Channel): Promise<readonly ChannelHolder[]> {
  const { organizationId, grant, members = [], powers = [], through, at } = request;
  const comparison = COMPARISONS[grant][channel];
  if (typeof comparison !== "string") return [];
  if (comparison === "entry" && (powers.length === 0 || through?.includes(channel) === false)) return [];
  if (comparison === "account" && members.length === 0) return [];
  const scope = { organizationId, userIds: members.map(({ userId }) => userId), at };
  const holders = await FIND_HOLDERS[channel](sql, scope);
  if (comparison === "entry") return holders.filter((holder) => !coversAll(holder, powers));
  const reached = holders.some(({ userId }) => userId === undefined) ? await findReachedByKeys(sql, scope) : [];
  return holders.filter((holder) => !coversAll(holder, powersBehind(holder, members, reached)));
}

/** The powers of the members whose accounts a channel reaches. */
function powersBehind(
  { userId }: ChannelHolder,
  members: readonly GrantedMember[],
  reached: readonly string[],
): readonly MemberPower[] {
  const isBehind = (id: string) => (userId === undefined ? reached.includes(id) : id === userId);
  return members.filter((member) => isBehind(member.userId)).map(({ power }) => power);
}

/** A domain lets strangers in: the claim of an absent person covers no role, not even membership. */
function coversAll({ channel, isPresent, power: own }: ChannelHolder, powers: readonly MemberPower[]): boolean {
  if (channel === "claimed_domain" && !isPresent) return false;
  return powers.every((power) => mayChange(own, power));
}

/**
 * Authorizes a grant whose power the caller has. `conflict` names the channels whose people lack the power; a
 * repetition with `confirm` returns these channels, for the record and the notices.
 */
export async function authorizeGrant(
  sql: Sql,
  request: GrantRequest,
  confirm: boolean,
): Promise<Result<readonly ChannelHolder[], Refusal<"conflict">>> {
  const uncovered = await findUncovered(sql, request);
  return uncovered.length === 0 || confirm ? ok(uncovered) : err(notCovered(uncovered));
}

function notCovered(uncovered: readonly ChannelHolder[]): Refusal<"conflict"> {
  return {
    ...refusal(
      "conflict",
      "People who lack this power, or lacked it at the set-up, are responsible for ways to it. Repeat the request " +
        "with confirm to accept these ways.",
    ),
    reason: "channels_not_covered",
    channels: namedChannels(uncovered),
  };
}

/** Each channel once for each person, also where the channel reaches several members. */
export function namedChannels(holders: readonly ChannelHolder[]): readonly NamedChannel[] {
  const named = holders.map(({ channel: kind, id, name, person }) => ({ kind, id, name, person }));
  return [...new Map(named.map((each) => [`${each.kind} ${each.id} ${each.person?.id}`, each])).values()];
}
