import type { passkeyChallenges, passkeys } from "../../../db/schema/passkeys.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { isHeld } from "../conditions/held-credential.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";
import type { CredentialDescriptor, NewCredential } from "./ceremony.ts";

type PasskeyRow = RowOf<typeof passkeys>;

/** docs/contract.md, section 4.6. */
export type Passkey = Pick<
  PasskeyRow,
  "id" | "name" | "createdAt" | "lastUsedAt" | "transports" | "deviceType" | "backedUp" | "aaguid"
>;

type ChallengeRow = RowOf<typeof passkeyChallenges>;

/** The binding of a challenge: user and epoch of a registration, user and session of a step-up, null at sign-in. */
export type ChallengeSubject = Pick<ChallengeRow, "userId" | "sessionId" | "credentialsEpoch">;

export const ANONYMOUS: ChallengeSubject = { userId: null, sessionId: null, credentialsEpoch: null };

export async function insertChallenge(
  sql: Sql,
  challenge: ChallengeSubject & { bytes: Buffer; ceremony: ChallengeRow["ceremony"]; expiresAt: Date },
): Promise<void> {
  const { bytes, ceremony, userId, sessionId, credentialsEpoch, expiresAt } = challenge;
  await sql`
    insert into passkey_challenges (challenge, ceremony, user_id, session_id, credentials_epoch, expires_at)
    values (${bytes}, ${ceremony}, ${userId}, ${sessionId}, ${credentialsEpoch}, ${expiresAt})`;
}

/**
 * Consumes a challenge of this ceremony, user and session, for exactly one caller, for any outcome of the ceremony. A
 * challenge of one ceremony is invalid for every other ceremony (G6b). Undefined for an unknown, consumed or expired
 * challenge.
 */
export async function consumeChallenge(
  sql: Sql,
  challenge: Omit<ChallengeSubject, "credentialsEpoch"> & {
    bytes: Buffer;
    ceremony: ChallengeRow["ceremony"];
    at: Date;
  },
): Promise<{ readonly credentialsEpoch: number | null } | undefined> {
  const [row] = await sql<{ live: boolean; credentialsEpoch: number | null }[]>`
    delete from passkey_challenges
    where challenge = ${challenge.bytes} and ceremony = ${challenge.ceremony}
      and user_id is not distinct from ${challenge.userId}::uuid
      and session_id is not distinct from ${challenge.sessionId}::uuid
    returning expires_at > ${challenge.at} as live, credentials_epoch as "credentialsEpoch"`;
  return row?.live ? row : undefined;
}

export type StoredCredential = Pick<PasskeyRow, "id" | "userId" | "credentialId" | "publicKey" | "signCount">;

/** The passkey of a credential id, unless deleted; `held`: awaits a confirmation after a reset. */
export async function findCredential(
  sql: Sql,
  credentialId: Buffer,
): Promise<(StoredCredential & { readonly held: boolean }) | undefined> {
  const [row] = await sql<(StoredCredential & { held: boolean })[]>`
    select p.id, p.user_id as "userId", p.credential_id as "credentialId", p.public_key as "publicKey",
           p.sign_count::float8 as "signCount", ${isHeld(sql, sql`p.user_id`, sql`p.created_at`)} as held
    from passkeys p where p.credential_id = ${credentialId} and p.deleted_at is null`;
  return row;
}

/** Whether a passkey of a user signs in: not every passkey awaits a confirmation after a reset. */
export async function hasUsablePasskey(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from passkeys p
    where p.user_id = ${userId} and p.deleted_at is null
      and not ${isHeld(sql, sql`p.user_id`, sql`p.created_at`)} limit 1`;
  return rows.length > 0;
}

export interface AssertionUse {
  readonly id: string;
  readonly signCount: number;
  readonly seenSignCount: number;
  readonly backedUp: boolean;
  readonly at: Date;
}

/**
 * CTE fragment of the statement of a sign-in or step-up, for a row of `from`: one row if the passkey still exists and
 * no concurrent use has changed the counter since the read.
 */
export function consumeAssertion(sql: Sql, use: AssertionUse, from = sql``): Fragment {
  return sql`
    update passkeys set sign_count = ${use.signCount}, backed_up = ${use.backedUp}, last_used_at = ${use.at} ${from}
    where passkeys.id = ${use.id} and deleted_at is null and sign_count = ${use.seenSignCount}
    returning passkeys.user_id`;
}

export interface NewPasskey {
  readonly id: string;
  readonly userId: string;
  readonly name: PasskeyName;
  readonly at: Date;
  readonly credential: NewCredential;
}

/** `given`: by the user. `model`: of the authenticator; the day of registration tells equal names apart. */
export type PasskeyName =
  | { readonly kind: "given"; readonly text: string }
  | { readonly kind: "model"; readonly text: string };

/** The passkeys of a user, and whether a copy of each exists on further devices. */
export async function listRecoverablePasskeys(sql: Sql, userId: string): Promise<{ readonly backedUp: boolean }[]> {
  return await sql<{ backedUp: boolean }[]>`
    select backed_up as "backedUp" from passkeys where user_id = ${userId} and deleted_at is null`;
}

/** The number of passkeys of a user. */
export async function countPasskeys(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from passkeys where user_id = ${userId} and deleted_at is null`;
  return row?.count ?? 0;
}

/** The name of a passkey in the list of the user; a second passkey of a model gets the day of registration. */
function storedName(sql: Sql, { userId, name, at }: NewPasskey): Fragment {
  if (name.kind === "given") return sql`${name.text}::text`;
  const dated = `${name.text} (${at.toISOString().slice(0, "YYYY-MM-DD".length)})`;
  return sql`
    case when exists (
      select 1 from passkeys where user_id = ${userId} and name = ${name.text} and deleted_at is null
    ) then ${dated}::text else ${name.text}::text end`;
}

/** CTE fragment. A registered credential violates `passkeys_credential_id_key`. */
export function insertPasskey(sql: Sql, passkey: NewPasskey): Fragment {
  const { credential } = passkey;
  return sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type, backed_up,
                          aaguid, created_at)
    select ${passkey.id}::uuid, ${passkey.userId}::uuid, ${credential.credentialId}::bytea,
           ${credential.publicKey}::bytea,
           ${credential.signCount}::bigint, ${storedName(sql, passkey)}, ${[...credential.transports]}::text[],
           ${credential.deviceType}::text, ${credential.backedUp}::boolean, ${credential.aaguid}::uuid,
           ${passkey.at}::timestamptz
    returning id, name`;
}

/** The user of a registration: names and existing credentials. */
export interface Registrant {
  readonly email: string;
  readonly displayName: string | null;
  readonly credentials: readonly CredentialDescriptor[];
}

export async function findRegistrant(sql: Sql, userId: string): Promise<Registrant | undefined> {
  type Row = Omit<Registrant, "credentials"> & { credentialId: Buffer | null; transports: string[] | null };
  const rows = await sql<Row[]>`
    select u.email, u.display_name as "displayName", p.credential_id as "credentialId", p.transports
    from users u
    left join passkeys p on p.user_id = u.id and p.deleted_at is null
    where u.id = ${userId}`;
  const [first] = rows;
  if (!first) return undefined;
  const { email, displayName } = first;
  const credentials = rows.flatMap(({ credentialId, transports }) =>
    credentialId ? [{ credentialId, transports: transports ?? [] }] : [],
  );
  return { email, displayName, credentials };
}

/** A page of a user's passkeys, newest first, and their total. */
export async function listPasskeys(
  sql: Sql,
  userId: string,
  page: PageBounds,
): Promise<{ items: Passkey[]; total: number }> {
  const rows = await sql<(Passkey & { total: number })[]>`
    with live as (select * from passkeys where user_id = ${userId} and deleted_at is null)
    select counted.total, l.id, l.name, l.created_at as "createdAt", l.last_used_at as "lastUsedAt", l.transports,
           l.device_type as "deviceType", l.backed_up as "backedUp", l.aaguid
    from (select count(*)::int as total from live) counted
    left join lateral (
      select * from live order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) l on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** The passkey with a new name; undefined for a passkey that the user does not have. */
export async function renamePasskey(
  sql: Sql,
  { id, userId, name }: { readonly id: string; readonly userId: string; readonly name: string },
): Promise<Passkey | undefined> {
  const [row] = await sql<Passkey[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId} and deleted_at is null
    returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt", transports,
              device_type as "deviceType", backed_up as "backedUp", aaguid`;
  return row;
}

/** CTE fragment: one row if the user had the passkey. */
export function deletePasskey(sql: Sql, id: string, userId: string, at: Date): Fragment {
  return sql`
    update passkeys set deleted_at = ${at}
    where id = ${id} and user_id = ${userId} and deleted_at is null
    returning id`;
}

/** CTE fragment: deletes the passkeys of a user, in the period. */
export function deletePasskeys(sql: Sql, userId: string, at: Date, period: SetUpPeriod = {}): Fragment {
  return sql`
    update passkeys set deleted_at = ${at}
    where user_id = ${userId} and deleted_at is null
      and ${setUpWithin(sql, sql`created_at`, period)}
    returning id, name`;
}

/** CTE fragment: deletes the challenges of registrations that a user has begun. */
export function deleteRegistrations(sql: Sql, userId: string): Fragment {
  return sql`delete from passkey_challenges where user_id = ${userId}`;
}

/** Whether a passkey, deleted or not, is of this user (docs/contract.md, section 9.4). */
export async function ownsPasskey(sql: Sql, id: string, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from passkeys where id = ${id} and user_id = ${userId}`;
  return rows.length > 0;
}

/** Deletes at most `batch` challenges that expired before `before`; returns how many. */
export const deleteExpiredChallenges = deleteRowsBefore("passkey_challenges", "expires_at");

/** Deletes at most `batch` rows of passkeys that were deleted before `before`; returns how many. */
export const deletePasskeyTombstones = deleteRowsBefore("passkeys", "deleted_at");

/** The name of a passkey of a user; undefined for an unknown or deleted passkey. */
export async function findPasskeyName(sql: Sql, id: string, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select name from passkeys where id = ${id} and user_id = ${userId} and deleted_at is null`;
  return row?.name;
}
