import { createHash } from "node:crypto";
import type { Fragment, Sql } from "../../database/database.ts";

/** 64 hexadecimal digits and the suffix. */
const LOGO_FILE_CHARACTERS = 69;

/**
 * The name of a picture: SHA-256 over owner and bytes, hexadecimal. Two users with equal pictures have two files, so
 * deleting one file keeps the second, and the equality is not visible.
 */
export function avatarHash(userId: string, content: Buffer): string {
  return createHash("sha256").update(userId).update(content).digest("hex");
}

/** The path of a picture on this service. */
function avatarPathOf(hash: string): string {
  return `/avatars/${hash}.webp`;
}

/** Content-addressed: the picture of a URL never changes, so caches may keep the picture without limit. */
export function avatarUrl({ urls }: { readonly urls: { readonly publicBaseUrl: string } }, hash: string): string {
  return `${urls.publicBaseUrl}${avatarPathOf(hash)}`;
}

/** The hash in a path such as `/avatars/<hash>.webp`. */
export function hashInFileName(file: string): string | undefined {
  return /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];
}

export async function insertAvatar(sql: Sql, hash: string, content: Buffer, at: Date): Promise<void> {
  await sql`insert into avatars (hash, content, created_at) values (${hash}, ${content}, ${at}) on conflict do nothing`;
}

export async function findAvatar(sql: Sql, hash: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ content: Buffer }[]>`select content from avatars where hash = ${hash}`;
  return row?.content;
}

export async function deleteAvatar(sql: Sql, hash: string): Promise<void> {
  await sql`delete from avatars where hash = ${hash} and not exists (select 1 from users where avatar_hash = ${hash})`;
}

/** CTE fragment: sets or clears the picture of a user; one row with the previous hash if the hash changed. */
export function replaceAvatar(sql: Sql, userId: string, hash: string | null, at: Date): Fragment {
  return sql`
    update users u set avatar_hash = ${hash}, updated_at = ${at}
    from (select id, avatar_hash from users where id = ${userId} for update) before
    where u.id = before.id and before.avatar_hash is distinct from ${hash}
    returning before.avatar_hash as previous`;
}

/**
 * Deletes a bounded batch of unreferenced pictures stored before `before`; returns how many. Clients that nobody
 * registered at this service refer to a picture by the end of the address of the logo.
 */
export async function deleteOrphanedAvatars(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from avatars where hash in (
      select a.hash from avatars a
      where a.created_at < ${before} and not exists (select 1 from users u where u.avatar_hash = a.hash)
        and not exists (
          select 1 from oauth_clients c
          where c.kind in ('document', 'dynamic') and right(c.logo_url, ${LOGO_FILE_CHARACTERS}) = a.hash || '.webp'
        )
      limit ${batch} for update skip locked
    )`;
  return deleted.count;
}
