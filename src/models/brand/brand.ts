import { createHash } from "node:crypto";
import { type BrandSettings, contactUrl, type LogoTheme, pageUrl } from "../../base/brand-values.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { likePattern } from "../../database/listing.ts";
import type { PictureSize } from "../../vocabulary/picture-size.ts";
import { clientLabel } from "../conditions/client-identity.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";

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
  /** The size of the logo, else of the logo for the dark theme. */
  readonly logoSize: PictureSize | null;
  /** The domains that the organization has proven; empty for an application. */
  readonly provenDomains: readonly string[];
  /** Null: no brand was stored yet. */
  readonly updatedAt: Date | null;
}

/** Whether an owner has set any value. */
export function hasBrand({
  name: _name,
  updatedAt: _updatedAt,
  provenDomains: _domains,
  ...values
}: StoredBrand): boolean {
  return Object.values(values).some((value) => value !== null);
}

/**
 * The name of a logo: SHA-256 over owner and bytes, hexadecimal. Equal pictures of two owners have two names, so the
 * equality is not visible.
 */
export function logoHash({ kind, id }: BrandOwner, content: Buffer): string {
  return createHash("sha256").update(`${kind}:${id}`).update(content).digest("hex");
}

/** The path of a logo on this service. */
export function logoPathOf(hash: string): string {
  return `/logos/${hash}.png`;
}

/** The hash in a path such as `/logos/<hash>.png`. */
export function logoHashInFileName(file: string): string | undefined {
  return /^([0-9a-f]{64})\.png$/.exec(file)?.[1];
}

/** The brand of an existing owner; undefined for an unknown owner. */
export async function findBrand(sql: Sql, owner: BrandOwner): Promise<StoredBrand | undefined> {
  const [row] = await sql<(Omit<StoredBrand, "logoSize"> & { readonly logoHead: Buffer | null })[]>`
    select o.name, b.accent, b.radius, b.terms_url as "termsUrl", b.privacy_url as "privacyUrl",
           b.support_url as "supportUrl", b.logo_hash as "logoHash", b.logo_dark_hash as "logoDarkHash",
           substring(coalesce(b.logo, b.logo_dark) from 1 for ${PNG_HEAD_BYTES}) as "logoHead",
           b.updated_at as "updatedAt", ${provenDomains(sql, owner)} as "provenDomains"
    from ${ownerTable(sql, owner)} o left join brands b on b.${ownerColumn(sql, owner)} = o.id
    where o.id = ${owner.id}`;
  if (!row) return undefined;
  const { logoHead, ...brand } = row;
  return { ...brand, ...acceptedLinks(brand), logoSize: logoHead && sizeInHead(logoHead) };
}

/** Version 1.0.0 stored links that neither a page nor an email may contain. */
function acceptedLinks({ termsUrl, privacyUrl, supportUrl }: Omit<StoredBrand, "logoSize">) {
  return {
    termsUrl: termsUrl && (pageUrl(termsUrl) ?? null),
    privacyUrl: privacyUrl && (pageUrl(privacyUrl) ?? null),
    supportUrl: supportUrl && (contactUrl(supportUrl) ?? null),
  };
}

function provenDomains(sql: Sql, { kind, id }: BrandOwner): Fragment {
  if (kind === "application") return sql`'{}'::text[]`;
  return sql`array(
    select d.domain from organization_domains d where d.organization_id = ${id} and d.status in ${heldStatuses(sql)}
  )`;
}

/** The signature and the first chunk of a PNG up to width and height (PNG specification, sections 5.2 and 11.2.1). */
const PNG_HEAD_BYTES = 24;

function sizeInHead(head: Buffer): PictureSize {
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

export interface BrandedOwner extends BrandOwner {
  readonly name: string;
}

interface BrandedOwnerSearch {
  /** A part of the name; undefined: every owner. */
  readonly q: string | undefined;
  /** The id of an owner that the list contains in any case. */
  readonly chosen: string | undefined;
  readonly limit: number;
}

/** Organizations and applications with a brand: the chosen owner, then the others by name. */
export async function listBrandedOwners(sql: Sql, search: BrandedOwnerSearch): Promise<BrandedOwner[]> {
  const { q, chosen = null, limit } = search;
  const isChosen = sql`coalesce(b.organization_id, b.client_id) is not distinct from ${chosen}::uuid`;
  return await sql<BrandedOwner[]>`
    select case when o.id is null then 'application' else 'organization' end as kind,
           coalesce(b.organization_id, b.client_id) as id, coalesce(o.name, ${clientLabel(sql)}) as name
    from brands b
    left join organizations o on o.id = b.organization_id
    left join oauth_clients c on c.id = b.client_id
    ${q === undefined ? sql`` : sql`where lower(coalesce(o.name, c.name)) like ${likePattern(q)} or ${isChosen}`}
    order by ${isChosen} desc, name, id limit ${limit}`;
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
