/** States of users, members and organizations that a test sets in the tables, past every endpoint. */
import type postgres from "postgres";

type Sql = postgres.Sql | postgres.TransactionSql;
type Role = "owner" | "admin" | "member";

export async function disableUser(sql: Sql, userId: string): Promise<void> {
  await sql`update users set disabled_at = now() where id = ${userId}`;
}

export async function deletePassword(sql: Sql, userId: string): Promise<void> {
  await sql`update users set password_hash = null where id = ${userId}`;
}

/** The user has proven control of the mailbox of the primary address now. */
export async function proveMailbox(sql: Sql, userId: string): Promise<void> {
  await sql`update users set email_verified_at = now(), controlled_at = now() where id = ${userId}`;
}

export async function assignPlatformRole(sql: Sql, userId: string, role: "owner" | "admin" | "viewer"): Promise<void> {
  await sql`update users set platform_role = ${role} where id = ${userId}`;
}

/** Every session of the user has the second factor, presented now. */
export async function presentFactor(sql: Sql, userId: string): Promise<void> {
  await sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${userId}`;
}

export async function insertMember(
  sql: Sql,
  organizationId: string,
  userId: string,
  role: Role = "member",
): Promise<void> {
  await sql`insert into members values (${organizationId}, ${userId}, ${role}, now())`;
}

export async function suspendOrganization(sql: Sql, organizationId: string): Promise<void> {
  await sql`update organizations set suspended_at = now() where id = ${organizationId}`;
}

export async function enterEnterprise(sql: Sql, organizationId: string): Promise<void> {
  await sql`update organizations set tier = 'enterprise' where id = ${organizationId}`;
}

/** The person who is responsible for the users of a connection. */
export async function assignResponsibility(sql: Sql, connectionId: string, userId: string): Promise<void> {
  await sql`update sso_connections set activated_by = ${userId} where id = ${connectionId}`;
}

/** Ends the membership of a user in one organization. */
export async function deleteMember(sql: Sql, organizationId: string, userId: string): Promise<void> {
  await sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`;
}

/** Ends every membership of a user. */
export async function deleteMemberships(sql: Sql, userId: string): Promise<void> {
  await sql`delete from members where user_id = ${userId}`;
}

/** Moves every session of a user to an organization. */
export async function moveSessions(sql: Sql, userId: string, organizationId: string): Promise<void> {
  await sql`update sessions set organization_id = ${organizationId} where user_id = ${userId}`;
}

/** The user has confirmed the primary address by a link, without a controlling proof. */
export async function verifyAddress(sql: Sql, userId: string): Promise<void> {
  await sql`update users set email_verified_at = now() where id = ${userId}`;
}

export async function deactivateConnection(sql: Sql, connectionId: string): Promise<void> {
  await sql`update sso_connections set status = 'inactive' where id = ${connectionId}`;
}

/** Every session of the user presented the second factor some minutes ago. */
export async function ageFactor(sql: Sql, userId: string, minutes: number): Promise<void> {
  await sql`
    update sessions set mfa_verified_at = now() - ${minutes} * interval '1 minute' where user_id = ${userId}`;
}
