/** The name of a user at an identity provider by SAML 2.0: a sign-out at the provider names the user. */
import { createHash } from "node:crypto";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import type { Sql } from "../../database/database.ts";

/** The NameID of an assertion (core, section 2.2.2). */
export interface SessionName {
  readonly value: string;
  readonly format: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
}

export interface StoredSessionName {
  readonly connectionId: string;
  readonly subjectHash: Buffer;
  readonly sessionIndex: string | null;
  readonly sealedName: Buffer;
}

type NameOwner = Pick<StoredSessionName, "connectionId" | "subjectHash">;

export function hashName(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

/** Associated data: a name copied to the session of another subject does not open (G22). */
function identityOf({ connectionId, subjectHash }: NameOwner): string {
  return `sso-name:${connectionId}:${subjectHash.toString("base64url")}`;
}

export function sealSessionName(
  { sealing, random }: { readonly sealing: SealingKey; readonly random: Random },
  owner: NameOwner,
  name: SessionName,
): Buffer {
  return seal(sealing, random, identityOf(owner), Buffer.from(JSON.stringify(name)));
}

/** Undefined for a row that was tampered with, and for a row sealed under another root secret. */
export function openSessionName(
  { sealing }: { readonly sealing: SealingKey },
  stored: StoredSessionName,
): SessionName | undefined {
  const plaintext = open(sealing, identityOf(stored), stored.sealedName);
  return plaintext && (JSON.parse(plaintext.toString()) as SessionName);
}

/** The name of a session, live or ended; undefined for a session without a name. */
export async function findSessionName(sql: Sql, sessionId: string): Promise<StoredSessionName | undefined> {
  const [row] = await sql<StoredSessionName[]>`
    select sso_connection_id as "connectionId", sso_subject_hash as "subjectHash",
           sso_session_index as "sessionIndex", sealed_sso_name_id as "sealedName"
    from sessions where id = ${sessionId} and sso_connection_id is not null and sealed_sso_name_id is not null`;
  return row;
}

/** The subjects whose sessions at a connection have a name that differs from the subject. */
export async function findNamedSubjects(sql: Sql, connectionId: string, nameHash: Buffer): Promise<Buffer[]> {
  const rows = await sql<{ subjectHash: Buffer }[]>`
    select distinct sso_subject_hash as "subjectHash" from sessions
    where sso_connection_id = ${connectionId} and sso_name_id_hash = ${nameHash}`;
  return rows.map(({ subjectHash }) => subjectHash);
}
