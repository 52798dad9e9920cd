import { createHash } from "node:crypto";
import type { BrandSettings, LogoTheme } from "../../base/brand-values.ts";
import type { Fragment, Sql } from "../../database/database.ts";

/** The organization or the application of a brand. */
export interface BrandOwner {
  readonly kind: "organization" | "application";
  readonly id: string;
}

/** A brand as stored, without the bytes of the logos. */
export interface StoredBrand extends BrandSettings {
  /** Name of the organization or application. */
  readonly name: string;
  readonly logoHash: string | null;
  readonly logoDarkHash: string | null;
  /** Null: no brand was stored yet. */
  readonly updatedAt: Date | null;
}

/** Whether an owner has set any value. */
export function hasBrand({ name: _name, updatedAt: _updatedAt, ...values }: StoredBrand): boolean {
  return Object.values(values).some((value) => value !== null);
}

/**
 * The name of a logo: SHA-256 over owner and bytes, hexadecimal. Equal pictures of two owners have two names, so the
 * equality is not visible.
 */
export function logoHash({ kind, id }: BrandOwner, content: Buffer): string {
  return createHash("sha256").update(`${kind}:${id}`).update(content).digest("hex");
}

/** The hash in a path such as `/logos/<hash>.png`. */
export function logoHashInFileName(file: string): string | undefined {
  return /^([0-9a-f]{64})\.png$/.exec(file)?.[1];
}

/** The brand of an existing owner; undefined for an unknown owner. */
export async function findBrand(sql: Sql, owner: BrandOwner): Promise<StoredBrand | undefined> {
  const [row] = await sql<StoredBrand[]>`
    select o.name, b.accent, b.radius, b.terms_url as "termsUrl", b.privacy_url as "privacyUrl",
           b.support_url as "supportUrl", b.logo_hash as "logoHash", b.logo_dark_hash as "logoDarkHash",
           b.updated_at as "updatedAt"
    from ${ownerTable(sql, owner)} o left join brands b on b.${ownerColumn(sql, owner)} = o.id
    where o.id = ${owner.id}`;
  return row;
}

/** The bytes of a logo. */
export async function findLogo(sql: Sql, hash: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ content: Buffer }[]>`
    select case when logo_hash = ${hash} then logo else logo_dark end as content
    from brands where logo_hash = ${hash} or logo_dark_hash = ${hash} limit 1`;
  return row?.content;
}

interface BrandWrite {
  /** The id of a first row. */
  readonly id: string;
  readonly owner: BrandOwner;
  readonly at: Date;
}

/** CTE fragment: replaces the settings, and keeps the logos; one row if the owner exists. */
export function saveSettings(sql: Sql, { id, owner, at }: BrandWrite, settings: BrandSettings): Fragment {
  const { accent, radius, termsUrl, privacyUrl, supportUrl } = settings;
  return sql`
    insert into brands (id, ${ownerColumn(sql, owner)}, accent, radius, terms_url, privacy_url, support_url,
                        created_at, updated_at)
    select ${id}::uuid, o.id, ${accent}::text, ${radius}::integer, ${termsUrl}::text, ${privacyUrl}::text,
           ${supportUrl}::text, ${at}::timestamptz, ${at}::timestamptz
    from ${ownerTable(sql, owner)} o where o.id = ${owner.id}
    on conflict (${ownerColumn(sql, owner)}) do update set
      accent = excluded.accent, radius = excluded.radius, terms_url = excluded.terms_url,
      privacy_url = excluded.privacy_url, support_url = excluded.support_url, updated_at = excluded.updated_at
    returning id`;
}

/** A re-encoded picture with its name. */
export interface Logo {
  readonly hash: string;
  readonly content: Buffer;
}

/** CTE fragment: stores a logo; one row if the logo changed. */
export function saveLogo(sql: Sql, { id, owner, at }: BrandWrite, theme: LogoTheme, logo: Logo): Fragment {
  const [content, hash] = logoColumns(sql, theme);
  return sql`
    insert into brands (id, ${ownerColumn(sql, owner)}, ${content}, ${hash}, created_at, updated_at)
    select ${id}::uuid, o.id, ${logo.content}::bytea, ${logo.hash}::text, ${at}::timestamptz,
           ${at}::timestamptz
    from ${ownerTable(sql, owner)} o where o.id = ${owner.id}
    on conflict (${ownerColumn(sql, owner)}) do update set
      ${content} = excluded.${content}, ${hash} = excluded.${hash}, updated_at = excluded.updated_at
    where brands.${hash} is distinct from excluded.${hash}
    returning id`;
}

/** CTE fragment: one row if there was a logo. */
export function deleteLogo(sql: Sql, { owner, at }: Omit<BrandWrite, "id">, theme: LogoTheme): Fragment {
  const [content, hash] = logoColumns(sql, theme);
  return sql`
    update brands set ${content} = null, ${hash} = null, updated_at = ${at}
    where ${ownerColumn(sql, owner)} = ${owner.id} and ${hash} is not null
    returning id`;
}

function logoColumns(sql: Sql, theme: LogoTheme): readonly [content: Fragment, hash: Fragment] {
  return theme === "light" ? [sql`logo`, sql`logo_hash`] : [sql`logo_dark`, sql`logo_dark_hash`];
}

function ownerTable(sql: Sql, { kind }: BrandOwner): Fragment {
  return kind === "organization" ? sql`organizations` : sql`oauth_clients`;
}

function ownerColumn(sql: Sql, { kind }: BrandOwner): Fragment {
  return kind === "organization" ? sql`organization_id` : sql`client_id`;
}
