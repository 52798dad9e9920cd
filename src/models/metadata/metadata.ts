/** Metadata of users, members and organizations: JSON objects of customers (docs/contract.md, section 34.2). */
import type { Sql } from "../../database/database.ts";
import { METADATA_MAX_BYTES, USER_METADATA_MAX_BYTES, USER_METADATA_MAX_DEPTH } from "../../limits/metadata-limits.ts";
import { type JsonObject, type Metadata, storedMetadata } from "../conditions/stored-metadata.ts";

/** A user, an organization, or a member of an organization. */
export type MetadataOwner =
  | { readonly userId: string; readonly organizationId?: undefined }
  | { readonly organizationId: string; readonly userId?: string };

export async function findMetadata(sql: Sql, owner: MetadataOwner): Promise<Metadata | undefined> {
  const [row] = await sql<Metadata[]>`
    select coalesce(public_metadata, '{}') as "publicMetadata", coalesce(private_metadata, '{}') as "privateMetadata"
    from ${tableOf(sql, owner)} where ${rowOf(sql, owner)}`;
  return row;
}

/** As `findMetadata`, with a lock: changes of one object wait for one another. */
export async function lockMetadata(sql: Sql, owner: MetadataOwner): Promise<Metadata | undefined> {
  const [row] = await sql<Metadata[]>`
    select coalesce(public_metadata, '{}') as "publicMetadata", coalesce(private_metadata, '{}') as "privateMetadata"
    from ${tableOf(sql, owner)} where ${rowOf(sql, owner)} for no key update`;
  return row;
}

export async function updateMetadata(sql: Sql, owner: MetadataOwner, metadata: Metadata): Promise<void> {
  await sql`
    update ${tableOf(sql, owner)}
    set public_metadata = ${storedMetadata(sql, metadata.publicMetadata)},
        private_metadata = ${storedMetadata(sql, metadata.privateMetadata)}
    where ${rowOf(sql, owner)}`;
}

function tableOf(sql: Sql, { organizationId, userId }: MetadataOwner) {
  if (organizationId === undefined) return sql("users");
  return sql(userId === undefined ? "organizations" : "members");
}

function rowOf(sql: Sql, { organizationId, userId }: MetadataOwner) {
  if (organizationId === undefined) return sql`id = ${userId}`;
  return userId === undefined
    ? sql`id = ${organizationId}`
    : sql`organization_id = ${organizationId} and user_id = ${userId}`;
}

/** Merges a change into metadata: a member with null is deleted, and objects merge by member (RFC 7396). */
export function mergeMetadata(current: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergeMetadata(objectOf(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The flaw of metadata, as a rule of the contract; undefined: none. PostgreSQL stores no NUL in JSON. */
export function metadataFlaw(metadata: JsonObject): "format" | "too_long" | undefined {
  const text = JSON.stringify(metadata);
  if (Buffer.byteLength(text) > METADATA_MAX_BYTES) return "too_long";
  return text.includes("\\u0000") && holdsNul(metadata) ? "format" : undefined;
}

/** The flaw of metadata of a user, whose bounds differ. */
export function userMetadataFlaw(metadata: JsonObject): "format" | "too_long" | "too_deep" | undefined {
  const text = JSON.stringify(metadata);
  if (Buffer.byteLength(text) > USER_METADATA_MAX_BYTES) return "too_long";
  if (depthOf(metadata) > USER_METADATA_MAX_DEPTH) return "too_deep";
  return text.includes("\\u0000") && holdsNul(metadata) ? "format" : undefined;
}

/** The number of nested objects and lists. The depth of a body is bounded. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (Array.isArray(value)) return value.some(holdsNul);
  return isObject(value) && Object.entries(value).some((entry) => entry.some(holdsNul));
}
