import type { oauthResources } from "../../../db/schema/oauth-resources.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import type { ClaimMapping } from "../../vocabulary/claim-mapping.ts";
import { type Descriptions, descriptionMember, descriptionsOf } from "../../vocabulary/languages.ts";
import type { ResourceClaim } from "../../vocabulary/resource-claim.ts";
import { resourceKey } from "../../vocabulary/resource-key.ts";

type OauthResourceRow = RowOf<typeof oauthResources>;

/** A scope of an API (docs/contract.md, section 23.12), with the member names of the column and of the wire. */
export interface ResourceScope extends Descriptions {
  readonly name: string;
  /** A permission of the API, which roles can contain (docs/contract.md, section 32.1). */
  readonly permission?: string;
  /** Clients that registered themselves may have the scope. */
  readonly public: boolean;
  /** Every authorization asks for consent. */
  readonly sensitive: boolean;
}

/** An API for which applications request access tokens (docs/contract.md, section 23.12). */
export interface OAuthResource
  extends Pick<
    OauthResourceRow,
    | "id"
    | "identifier"
    | "name"
    | "signingAlg"
    | "dpop"
    | "tokenLifetimeSeconds"
    | "minAcr"
    | "openTo"
    | "disabled"
    | "managedBy"
    | "preset"
    | "createdAt"
    | "updatedAt"
  > {
  readonly scopes: readonly ResourceScope[];
  /** Further claims of access tokens for the API. */
  readonly claims: readonly ResourceClaim[];
  /** Claims by mapping, in access tokens and introspection. */
  readonly claimMappings: readonly ClaimMapping[];
  /** The only organizations whose members receive tokens for the API. Null: every organization. */
  readonly organizations: readonly string[] | null;
  /** The inputs of the product preset; null without a preset. */
  readonly presetInputs: Readonly<Record<string, string>> | null;
}

/**
 * Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL every few
 * seconds.
 */
export const OAUTH_RESOURCE_STREAM = "service:oauth-resources";

function columns(sql: Sql): Fragment {
  return sql`
    id, identifier, name, scopes, signing_alg as "signingAlg", dpop, token_lifetime_seconds as "tokenLifetimeSeconds",
    min_acr as "minAcr", claims, claim_mappings as "claimMappings", open_to as "openTo", organizations, disabled,
    managed_by as "managedBy", preset, preset_inputs as "presetInputs",
    created_at as "createdAt", updated_at as "updatedAt"`;
}

type StoredScope = Pick<ResourceScope, "name" | "permission"> &
  Partial<Pick<ResourceScope, "public" | "sensitive"> & Descriptions>;
type StoredResource = Omit<OAuthResource, "scopes"> & { readonly scopes: readonly StoredScope[] };

/** A scope stored by an earlier release lacks members, and has no description in a new language. */
function toResource(row: StoredResource): OAuthResource {
  const scopes = row.scopes.map(({ name, permission, public: isPublic, sensitive, ...descriptions }) => ({
    name,
    ...(permission === undefined ? {} : { permission }),
    public: isPublic ?? false,
    sensitive: sensitive ?? false,
    ...descriptionsOf((language) => descriptions[descriptionMember(language)] ?? null),
  }));
  return { ...row, scopes };
}

/** All APIs, oldest first. */
export async function listResources(sql: Sql): Promise<OAuthResource[]> {
  const rows = await sql<StoredResource[]>`select ${columns(sql)} from oauth_resources order by created_at, id`;
  return rows.map(toResource);
}

export async function findResource(sql: Sql, id: string): Promise<OAuthResource | undefined> {
  const [row] = await sql<StoredResource[]>`select ${columns(sql)} from oauth_resources where id = ${id}`;
  return row && toResource(row);
}

/** Locks the API, so that changes of an API run in sequence. */
export async function lockResource(sql: Sql, id: string): Promise<OAuthResource | undefined> {
  const [row] = await sql<StoredResource[]>`select ${columns(sql)} from oauth_resources where id = ${id} for update`;
  return row && toResource(row);
}

export interface ResourceCount {
  readonly total: number;
  /** Whether an API with an equivalent identifier exists. */
  readonly isTaken: boolean;
}

export async function countResources(sql: Sql, identifier: string): Promise<ResourceCount> {
  const [count] = await sql<[ResourceCount]>`
    select count(*)::int as total,
           coalesce(bool_or(identifier_key = ${resourceKey(identifier)}), false) as "isTaken"
    from oauth_resources`;
  return count;
}

/** CTE fragment: inserts an API; one row (id). */
export function insertResource(sql: Sql, resource: OAuthResource): Fragment {
  const { id, identifier, name, scopes, signingAlg, dpop, disabled, createdAt, updatedAt } = resource;
  return sql`
    insert into oauth_resources (
      id, identifier, identifier_key, name, scopes, signing_alg, dpop, token_lifetime_seconds, min_acr, claims, open_to,
      claim_mappings, organizations, disabled, managed_by, preset, preset_inputs,
      created_at, updated_at)
    values (${id}, ${identifier}, ${resourceKey(identifier)}, ${name}, ${json(sql, scopes)}, ${signingAlg},
            ${dpop}, ${resource.tokenLifetimeSeconds}, ${resource.minAcr}, ${[...resource.claims]}::text[],
            ${resource.openTo}, ${json(sql, resource.claimMappings)}, ${organizationsOf(resource)}::uuid[],
            ${disabled}, ${resource.managedBy}::text,
            ${resource.preset}::text, ${resource.presetInputs && json(sql, resource.presetInputs)}::jsonb,
            ${createdAt}, ${updatedAt})
    returning id`;
}

function organizationsOf({ organizations }: OAuthResource): string[] | null {
  return organizations && [...organizations];
}

/** CTE fragment: replaces the mutable columns. */
export function updateResource(sql: Sql, resource: OAuthResource): Fragment {
  const { id, name, scopes, signingAlg, dpop, disabled, updatedAt } = resource;
  return sql`
    update oauth_resources
    set name = ${name}, scopes = ${json(sql, scopes)}, signing_alg = ${signingAlg}, dpop = ${dpop},
        token_lifetime_seconds = ${resource.tokenLifetimeSeconds}, min_acr = ${resource.minAcr},
        claims = ${[...resource.claims]}::text[], claim_mappings = ${json(sql, resource.claimMappings)},
        open_to = ${resource.openTo},
        organizations = ${organizationsOf(resource)}::uuid[], disabled = ${disabled},
        managed_by = ${resource.managedBy}::text, preset = ${resource.preset}::text,
        preset_inputs = ${resource.presetInputs && json(sql, resource.presetInputs)}::jsonb, updated_at = ${updatedAt}
    where id = ${id}
    returning id`;
}

/** CTE fragment: one row if the API existed. */
export function deleteResource(sql: Sql, id: string): Fragment {
  return sql`delete from oauth_resources where id = ${id} returning id`;
}
