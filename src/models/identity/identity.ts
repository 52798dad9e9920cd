import { createHmac } from "node:crypto";
import type { userIdentities } from "../../../db/schema/identities.ts";
import { maskEmail } from "../../base/masked-email.ts";
import { isStorableText } from "../../base/storable-text.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { EMAIL_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { configuredProviderName } from "../conditions/configured-provider-name.ts";
import { isHeld } from "../conditions/held-credential.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type IdentityRow = RowOf<typeof userIdentities>;

const LABEL_MAX_CHARACTERS = 120;

/** The key of a user at an identity provider (OpenID Connect Core, section 2). */
export type IdentityKey = Pick<IdentityRow, "provider" | "issuer" | "subject">;

/** The user whom an identity is linked to. `held`: the identity awaits a confirmation after a reset. */
export async function findIdentityOwner(
  sql: Sql,
  key: IdentityKey,
): Promise<{ readonly userId: string; readonly held: boolean } | undefined> {
  const [row] = await sql<{ userId: string; held: boolean }[]>`
    select i.user_id as "userId", ${isHeld(sql, sql`i.user_id`, sql`i.created_at`)} as held from user_identities i
    where i.provider = ${key.provider} and i.issuer = ${key.issuer} and i.subject = ${key.subject}`;
  return row;
}

/** An identity that is linked to a user. */
export type LinkedIdentity = Pick<IdentityRow, "id" | "provider" | "label" | "createdAt" | "lastUsedAt"> & {
  /** The name of a provider by configuration; else the key. */
  readonly configuredName: string;
};

export async function listIdentities(sql: Sql, userId: string): Promise<LinkedIdentity[]> {
  return await sql<LinkedIdentity[]>`
    select id, provider, label, created_at as "createdAt", last_used_at as "lastUsedAt",
           ${configuredProviderName(sql, sql`user_identities.provider`)} as "configuredName"
    from user_identities
    where user_id = ${userId} order by created_at, provider`;
}

/**
 * The label of an identity in the list of its owner: the address with a masked local part, else the name. Null for a
 * text of the provider that is no usual line.
 */
export function identityLabel({
  email,
  name,
}: {
  readonly email: string | undefined;
  readonly name: string | undefined;
}) {
  const label = email === undefined ? name && [...name].slice(0, LABEL_MAX_CHARACTERS).join("") : maskEmail(email);
  return label && label.length <= EMAIL_MAX_CHARACTERS && isStorableText(label) ? label : null;
}

/** The keyed hash of an identity that a user unlinked. The row names no identity to a reader of the database. */
export function hashIdentity(key: Buffer, { provider, issuer, subject }: IdentityKey): Buffer {
  return createHmac("sha256", key)
    .update(JSON.stringify(["identity", provider, issuer, subject]))
    .digest();
}

export async function isUnlinked(sql: Sql, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await sql`select 1 from unlinked_identities where user_id = ${userId} and identity_hash = ${hash}`;
  return rows.length > 0;
}

export async function rememberUnlinked(sql: Sql, userId: string, hash: Buffer, at: Date): Promise<void> {
  await sql`
    insert into unlinked_identities (user_id, identity_hash, unlinked_at) values (${userId}, ${hash}, ${at})
    on conflict (user_id, identity_hash) do update set unlinked_at = excluded.unlinked_at`;
}

export async function forgetUnlinked(sql: Sql, userId: string, hash: Buffer): Promise<void> {
  await sql`delete from unlinked_identities where user_id = ${userId} and identity_hash = ${hash}`;
}

/** The key of an identity of this user. */
export async function findIdentity(sql: Sql, id: string, userId: string): Promise<IdentityKey | undefined> {
  const [row] = await sql<IdentityKey[]>`
    select provider, issuer, subject from user_identities where id = ${id} and user_id = ${userId}`;
  return row;
}

/** CTE fragment: one row if the user had the identity. */
export function deleteIdentity(sql: Sql, id: string, userId: string): Fragment {
  return sql`delete from user_identities where id = ${id} and user_id = ${userId} returning id`;
}

/** How many users have a linked identity of a provider. */
export async function countIdentitiesOf(sql: Sql, providers: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ provider: string; count: number }[]>`
    select provider, count(*)::int as count from user_identities
    where provider = any(${[...providers]}::text[]) group by provider`;
  return new Map(rows.map(({ provider, count }) => [provider, count]));
}

/**
 * Identities of a provider whose issuer is not of the kept epoch, in the order of users: two calls at once lock users
 * in one order. Null: identities of every epoch.
 */
export async function listFormerIdentities(
  sql: Sql,
  {
    provider,
    keptEpoch,
    limit,
  }: { readonly provider: string; readonly keptEpoch: number | null; readonly limit: number },
): Promise<{ readonly id: string; readonly userId: string }[]> {
  return await sql<{ id: string; userId: string }[]>`
    select id, user_id as "userId" from user_identities
    where provider = ${provider}
      and (${keptEpoch}::int is null or not ${isOfEpoch(sql, keptEpoch ?? 0)})
    order by user_id, id limit ${limit}`;
}

/** The first epoch that no identity of the key has: identities of a deleted provider may remain. */
export async function findFreeEpoch(sql: Sql, provider: string): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`
    select coalesce(max(coalesce(nullif(split_part(issuer, '#', 2), '')::int, 0)) + 1, 0)::int as epoch
    from user_identities where provider = ${provider}`;
  return row?.epoch ?? 0;
}

function isOfEpoch(sql: Sql, epoch: number): Fragment {
  return epoch === 0 ? sql`position('#' in issuer) = 0` : sql`issuer like ${`%#${epoch}`}`;
}

/** CTE fragment: sets the time of last use; one row if the identity is still linked to this user. */
export function touchIdentity(sql: Sql, key: IdentityKey, userId: string, at: Date): Fragment {
  return sql`
    update user_identities set last_used_at = ${at}
    where provider = ${key.provider} and issuer = ${key.issuer} and subject = ${key.subject} and user_id = ${userId}
    returning user_id`;
}

/** An identity that is about to be linked. */
export interface NewIdentity extends IdentityKey {
  readonly label: string | null;
}

/** CTE fragment: inserts an identity. A linked identity violates `user_identities_pkey`. */
export function insertIdentity(sql: Sql, identity: NewIdentity, userId: string, at: Date, from: Fragment): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, label, user_id, created_at, last_used_at)
    select ${identity.provider}, ${identity.issuer}, ${identity.subject}, ${identity.label}::text, ${userId}::uuid,
           ${at}::timestamptz, ${at}::timestamptz
    ${from}
    returning user_id as id`;
}

/** CTE fragment, for a row of `from`: links an identity to a user; no row if it was linked concurrently. */
export function linkIdentity(sql: Sql, identity: NewIdentity, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    insert into user_identities (provider, issuer, subject, label, user_id, created_at, last_used_at)
    select ${identity.provider}::text, ${identity.issuer}::text, ${identity.subject}::text, ${identity.label}::text,
           ${userId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    ${from}
    on conflict do nothing
    returning user_id`;
}

/** CTE fragment: unlinks the identities of a user except `kept`, in the period. */
export function unlinkIdentities(
  sql: Sql,
  userId: string,
  kept: IdentityKey | undefined,
  period: SetUpPeriod = {},
): Fragment {
  return sql`
    delete from user_identities
    where user_id = ${userId} and (provider, issuer, subject) is distinct from
      (${kept?.provider ?? null}::text, ${kept?.issuer ?? null}::text, ${kept?.subject ?? null}::text)
      and ${setUpWithin(sql, sql`created_at`, period)}
    returning provider`;
}
