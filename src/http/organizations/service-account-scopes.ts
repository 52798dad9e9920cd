/** The scopes of service accounts and webhooks: an organization or the platform, with equal endpoints. */

import type { StoreDeps } from "../../deps.ts";
import {
  authorizeEventReader,
  authorizeServiceAccountAdmin,
  authorizeServiceAccountReader,
  type CollectionScope,
  PLATFORM,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";

export interface ServiceAccountScopeRoute {
  /** Path of the collection. */
  readonly base: string;
  /** In operation ids. */
  readonly word: "Organization" | "Platform";
  /** Before the methods of `clients/js`. */
  readonly methods: "" | "admin.";
  /** In summaries. */
  readonly of: string;
  /** Declared by every endpoint of the collection. */
  readonly permission: Permission | "platform";
}

/** The scopes of a collection such as `service-accounts`. `permission`: guards the collection in an organization. */
export function serviceAccountScopes(collection: string, permission: Permission): readonly ServiceAccountScopeRoute[] {
  return [
    { base: `/orgs/:org_id/${collection}`, word: "Organization", methods: "", of: "an organization", permission },
    { base: `/admin/${collection}`, word: "Platform", methods: "admin.", of: "the platform", permission: "platform" },
  ];
}

type ScopeParams = { readonly org_id?: string };
type ScopePermission = ServiceAccountScopeRoute["permission"];

/** A path without an organization belongs to the platform. */
function scopeOf({ org_id: organizationId }: ScopeParams, permission: ScopePermission): CollectionScope {
  return organizationId === undefined || permission === "platform" ? PLATFORM : { organizationId, permission };
}

export function authorizeFor(deps: StoreDeps) {
  return ({ session }: Caller, params: ScopeParams, permission: ScopePermission) =>
    authorizeServiceAccountAdmin(deps, session, scopeOf(params, permission));
}

/** Authorizes reads: a Viewer of the platform has permission. */
export function authorizeReaderFor(deps: StoreDeps) {
  return ({ session }: Caller, params: ScopeParams, permission: ScopePermission) =>
    authorizeServiceAccountReader(deps, session, scopeOf(params, permission));
}

/** Authorizes reads of events, which are audit records: an API key has permission too. */
export function authorizeEventReaderFor(deps: StoreDeps) {
  return (caller: Caller | KeyCaller, params: ScopeParams, permission: ScopePermission) =>
    authorizeEventReader(deps, caller, scopeOf(params, permission));
}
