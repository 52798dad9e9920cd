import { createHash } from "node:crypto";
import type { ssoIdentities } from "../../../db/schema/sso-connections.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { isHeld } from "../conditions/held-credential.ts";

export type SsoIdentity = RowOf<typeof ssoIdentities>;

/** The form in which identities and sessions store a subject for comparison. */
export function hashSubject(subject: string): Buffer {
  return createHash("sha256").update(subject).digest();
}

/** `held`: a link that the user made and that awaits a confirmation after a reset. */
type LinkedUser = Pick<SsoIdentity, "id" | "userId" | "linkedBy"> & { readonly held: boolean };

/** The identity of a subject at a connection. */
export async function findSsoIdentity(
  sql: Sql,
  connectionId: string,
  subject: string,
): Promise<LinkedUser | undefined> {
  const [row] = await sql<LinkedUser[]>`${selectIdentity(sql, connectionId, subject)}`;
  return row;
}

/** As `findSsoIdentity`, under a lock: a removal of the identity waits for the end of the transaction. */
export async function keepSsoIdentity(
  sql: Sql,
  connectionId: string,
  subject: string,
): Promise<LinkedUser | undefined> {
  const [row] = await sql<LinkedUser[]>`${selectIdentity(sql, connectionId, subject)} for key share`;
  return row;
}

function selectIdentity(sql: Sql, connectionId: string, subject: string): Fragment {
  return sql`
    select i.id, i.user_id as "userId", i.linked_by as "linkedBy",
           i.linked_by = 'user' and ${isHeld(sql, sql`i.user_id`, sql`i.created_at`)} as held
    from sso_identities i where i.connection_id = ${connectionId} and i.subject_hash = ${hashSubject(subject)}`;
}

/**
 * The spelling in which a connection knows a subject that is an email address: the given spelling, else another
 * spelling of the same address at the account with the address. A link that the user made in person counts in its own
 * spelling alone: such a link has no bound by the power behind the connection. Undefined: an unknown subject.
 */
export async function findSubjectSpelling(
  sql: Sql,
  connectionId: string,
  { subject, address }: { readonly subject: string; readonly address: string },
): Promise<string | undefined> {
  const [row] = await sql<{ subject: string }[]>`
    select i.subject from sso_identities i
    where i.connection_id = ${connectionId} and i.subject_hash = ${hashSubject(subject)}
    union all
    select i.subject from user_emails e join sso_identities i on i.user_id = e.user_id
    where i.connection_id = ${connectionId} and e.email = ${address} and lower(i.subject) = ${address}
      and i.linked_by <> 'user' and (e."primary" or e.verified_at is not null)
    limit 1`;
  return row?.subject;
}

/** The connections among the given that know a subject, with the origin of the link. */
export async function listConnectionsOfSubject(
  sql: Sql,
  connectionIds: readonly string[],
  subject: string,
): Promise<Pick<SsoIdentity, "connectionId" | "linkedBy">[]> {
  return await sql<Pick<SsoIdentity, "connectionId" | "linkedBy">[]>`
    select connection_id as "connectionId", linked_by as "linkedBy" from sso_identities
    where connection_id = any(${[...connectionIds]}::uuid[]) and subject_hash = ${hashSubject(subject)}`;
}

/** The identity of a user at a connection. */
export async function findIdentityOfUser(
  sql: Sql,
  connectionId: string,
  userId: string,
): Promise<Pick<SsoIdentity, "id" | "linkedBy" | "subjectHash"> | undefined> {
  const [row] = await sql<Pick<SsoIdentity, "id" | "linkedBy" | "subjectHash">[]>`
    select id, linked_by as "linkedBy", subject_hash as "subjectHash" from sso_identities
    where connection_id = ${connectionId} and user_id = ${userId}`;
  return row;
}

/** Turns a link by a domain or a directory into a link that the user made in person. */
export async function takeOverIdentity(sql: Sql, id: string): Promise<void> {
  await sql`update sso_identities set linked_by = 'user' where id = ${id}`;
}

/** Links a subject to a user. A second subject of the user, or a linked subject, violates a unique index. */
export async function insertSsoIdentity(
  sql: Sql,
  identity: Pick<SsoIdentity, "id" | "connectionId" | "subject" | "userId" | "linkedBy"> & { readonly at: Date },
): Promise<void> {
  const { at, subject } = identity;
  await sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${identity.id}, ${identity.connectionId}, ${hashSubject(subject)}, ${subject}, ${identity.userId},
            ${identity.linkedBy}, ${at}, ${at})`;
}

/** The unique indexes of identities: a concurrent sign-in linked the subject or the user first. */
export function isIdentityConstraint(constraint: string | undefined): boolean {
  return constraint === "sso_identities_subject_key" || constraint === "sso_identities_user_key";
}

/**
 * CTE fragment: records the use of an identity. One row while the identity exists, the connection is active in the
 * revision of the verified response, and `from` has a row: the locks delay a deactivation until the session exists.
 */
export function useSsoIdentity(
  sql: Sql,
  use: {
    readonly connectionId: string;
    readonly revision: number;
    readonly subject: string;
    readonly userId: string;
    readonly at: Date;
  },
  from: Fragment,
): Fragment {
  return sql`
    update sso_identities i set last_used_at = ${use.at}
    from (
      select c.id ${from}, sso_connections c
      where c.id = ${use.connectionId} and c.status = 'active' and c.revision = ${use.revision} for share of c
    ) active
    where i.connection_id = active.id and i.subject_hash = ${hashSubject(use.subject)} and i.user_id = ${use.userId}
    returning i.id`;
}
