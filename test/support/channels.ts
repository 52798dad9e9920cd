/** Channels of an organization written without the endpoints: each with the person responsible for the channel. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Channel } from "../../src/vocabulary/channels.ts";
import { DAY_MS } from "./accounts.ts";
import type { Flows } from "./flows.ts";
import { storeConnection } from "./sso-connections.ts";

export interface ChannelPlace {
  readonly organizationId: string;
  /** The person responsible for the channel. */
  readonly personId: string;
  /** The member whose account the channel reaches, if the channel reaches accounts. */
  readonly memberId: string;
}

type Store = (flows: Flows, place: ChannelPlace) => Promise<string>;

/** Stores a channel; returns the id of the connection, key, domain or set-up link. */
export const STORE_CHANNEL: Readonly<Record<Channel, Store>> = {
  linked_identity: async (flows, place) => {
    const id = await storeActiveConnection(flows, place);
    await storeIdentity(flows, id, place.memberId);
    return id;
  },
  directory_key: (flows, place) => storeDirectoryKey(flows, place, null),
  setup_key: (flows, place) => storeDirectoryKey(flows, place, randomUUID()),
  group_mapping: (flows, place) => storeDirectoryKey(flows, place, null),
  role_rule: storeActiveConnection,
  default_role: storeActiveConnection,
  claimed_domain: async ({ sql }, { organizationId, personId }) => {
    const id = randomUUID();
    await sql`
      insert into organization_domains (id, organization_id, domain, token, status, claimed_by, verified_at, created_at)
      values (${id}, ${organizationId}, ${`${id}.test`}, 'token', 'verified', ${personId}, now(), now())`;
    return id;
  },
  setup_link: async ({ sql, clock }, { organizationId, personId }) => {
    const id = randomUUID();
    const now = new Date(clock.now());
    await sql`
      insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                   expires_at)
      values (${id}, ${organizationId}, '{directory}', ${randomBytes(32)}, ${personId}, false, ${now},
              ${new Date(now.getTime() + DAY_MS)})`;
    return id;
  },
};

async function storeActiveConnection({ sql }: Flows, { organizationId, personId }: ChannelPlace): Promise<string> {
  const id = await storeConnection(sql, organizationId);
  await sql`update sso_connections set activated_by = ${personId} where id = ${id}`;
  return id;
}

/** Links a member to a subject of a connection by the domain. */
export async function storeIdentity(
  { sql }: Pick<Flows, "sql">,
  connectionId: string,
  userId: string,
  linkedBy: "domain" | "user" = "domain",
): Promise<string> {
  const subject = randomUUID();
  await sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${randomUUID()}, ${connectionId}, sha256(${subject}::text::bytea), ${subject}, ${userId}, ${linkedBy},
            now(), now())`;
  return subject;
}

/** A live key of the directory, in which the member has a record. */
async function storeDirectoryKey(
  { sql, clock }: Flows,
  { organizationId, personId, memberId }: ChannelPlace,
  setupLinkId: string | null,
): Promise<string> {
  const [account, key, now] = [randomUUID(), randomUUID(), new Date(clock.now())];
  await sql`
    insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                             created_at, updated_at)
    values (${randomUUID()}, ${organizationId}, 'active', 'member', 'invite', 'groups', 1, ${now}, ${now})
    on conflict (organization_id) do nothing`;
  await sql`
    insert into directory_users (id, directory_id, user_name, user_name_key, email_keys, active, document, user_id,
                                 link, version, created_at, updated_at)
    select ${randomUUID()}, d.id, ${memberId}::text, ${memberId}::text, '{}', true,
           ${sql.json({ userName: memberId })}, ${memberId}::uuid, 'domain', 1, ${now}::timestamptz, ${now}::timestamptz
    from directories d
    where d.organization_id = ${organizationId}
      and not exists (select 1 from directory_users r where r.directory_id = d.id and r.user_id = ${memberId})`;
  await sql`
    insert into service_accounts (id, organization_id, name, created_at)
    values (${account}, ${organizationId}, 'Directory', ${now})`;
  await sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers, expires_at,
                          created_by, setup_link_id, created_at)
    values (${key}, ${account}, 'abcdefgh', ${randomBytes(32)}, '{scim.write}', '{}', '{}',
            ${new Date(now.getTime() + DAY_MS)}, ${personId}, ${setupLinkId}, ${now})`;
  return key;
}
