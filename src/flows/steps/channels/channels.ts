/** The channels of an organization: the ways to power that people set up, and the people behind each. */

import type { Sql } from "../../../database/database.ts";
import {
  type AccountHolderRow,
  type HolderRow,
  listClaimsHolders,
  listConnectionHolders,
  listDomainHolders,
  listIdentityHolders,
  listKeyHolders,
  listLinkHolders,
  listProvisioned,
} from "../../../models/channel/channel-holder.ts";
import type { Channel } from "../../../vocabulary/channels.ts";
import type { MemberPower } from "../../../vocabulary/member-power.ts";
import { grantingPower, presentPower } from "../power/holder-power.ts";

/** A channel with the person responsible for the channel, and the power of the person. */
export interface ChannelHolder {
  readonly channel: Channel;
  /** The id of the connection, key, domain or set-up link. */
  readonly id: string;
  readonly name: string;
  /** Null: the account of the person was deleted. */
  readonly person: { readonly id: string; readonly name: string } | null;
  /** The present power with the confirmed power. */
  readonly power: MemberPower;
  /** False: the person is no member, or the account is disabled or was deleted. */
  readonly isPresent: boolean;
  /** The part of the power that a person confirmed for the connection. */
  readonly confirmed: HolderRow["confirmed"];
  /** The member whose account the channel reaches; undefined: the channel reaches no single account. */
  readonly userId?: string;
}

interface ChannelScope {
  readonly organizationId: string;
  /** The members whose accounts count. */
  readonly userIds: readonly string[];
  readonly at: Date;
}

type FindHolders = (sql: Sql, scope: ChannelScope) => Promise<readonly ChannelHolder[]>;

/** Who is responsible for a channel. A channel without an entry does not compile. */
export const FIND_HOLDERS: Readonly<Record<Channel, FindHolders>> = {
  linked_identity: async (sql, { organizationId, userIds }) =>
    userIds.length === 0
      ? []
      : (await listIdentityHolders(sql, organizationId, userIds)).map((row) => accountHolder("linked_identity", row)),
  directory_key: (sql, scope) => findKeys(sql, scope, "directory_key"),
  setup_key: (sql, scope) => findKeys(sql, scope, "setup_key"),
  group_mapping: async (sql, scope) => [
    ...(await findKeys(sql, scope, "directory_key", "group_mapping")),
    ...(await findKeys(sql, scope, "setup_key", "group_mapping")),
  ],
  role_rule: async (sql, scope) => [
    ...(await findConnections(sql, scope, "role_rule")),
    ...(await listClaimsHolders(sql, scope.organizationId)).map((row) => holderOf("role_rule", row)),
  ],
  default_role: (sql, scope) => findConnections(sql, scope, "default_role"),
  claimed_domain: async (sql, { organizationId }) =>
    (await listDomainHolders(sql, organizationId)).map((row) => holderOf("claimed_domain", row)),
  setup_link: async (sql, { organizationId, at }) =>
    (await listLinkHolders(sql, organizationId, at)).map((row) => holderOf("setup_link", row)),
};

async function findConnections(sql: Sql, { organizationId }: ChannelScope, channel: Channel) {
  return (await listConnectionHolders(sql, organizationId)).map((row) => holderOf(channel, row));
}

async function findKeys(
  sql: Sql,
  { organizationId, at }: ChannelScope,
  kind: "directory_key" | "setup_key",
  channel: Channel = kind,
): Promise<readonly ChannelHolder[]> {
  const origin = kind === "directory_key" ? "member" : "setup_link";
  return (await listKeyHolders(sql, { organizationId, origin, at })).map((row) => holderOf(channel, row));
}

/** Who else reaches the accounts of members, whatever their power. */
export async function findAccountHolders(sql: Sql, scope: ChannelScope): Promise<readonly ChannelHolder[]> {
  const identities = await FIND_HOLDERS.linked_identity(sql, scope);
  if ((await findReachedByKeys(sql, scope)).length === 0) return identities;
  const keys = await Promise.all([FIND_HOLDERS.directory_key(sql, scope), FIND_HOLDERS.setup_key(sql, scope)]);
  return [...identities, ...keys.flat()];
}

/** The members among `userIds` whose accounts the keys of the directory reach. */
export async function findReachedByKeys(
  sql: Sql,
  { organizationId, userIds }: ChannelScope,
): Promise<readonly string[]> {
  return userIds.length === 0 ? [] : await listProvisioned(sql, organizationId, userIds);
}

function accountHolder(channel: Channel, row: AccountHolderRow): ChannelHolder {
  return { ...holderOf(channel, row), userId: row.userId };
}

function holderOf(channel: Channel, row: HolderRow): ChannelHolder {
  const { id, name, personId, personName } = row;
  const person = personId === null ? null : { id: personId, name: personName ?? "" };
  const isPresent = presentPower(row) !== undefined;
  return { channel, id, name, person, power: grantingPower(row), isPresent, confirmed: row.confirmed };
}
