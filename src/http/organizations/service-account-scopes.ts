/** The scopes of service accounts and webhooks: an organization or the platform, with equal endpoints. */

import type { StoreDeps } from "../../deps.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import {
  authorizeEventReader,
  authorizeServiceAccountAdmin,
  authorizeServiceAccountReader,
  type CollectionScope,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";

type Collection = "service-accounts" | "webhooks";

const PERMISSIONS = {
  "service-accounts": {
    organization: "machines.manage",
    read: "service_accounts.read",
    write: "service_accounts.write",
  },
  webhooks: { organization: "webhooks.manage", read: "webhooks.read", write: "webhooks.write" },
} as const;

type Permissions = (typeof PERMISSIONS)[Collection];

export interface ServiceAccountScopeRoute {
  /** Path of the collection. */
  readonly base: string;
  /** In operation ids. */
  readonly word: "Organization" | "Platform";
  /** Before the methods of `clients/js`. */
  readonly methods: "" | "admin.";
  /** In summaries. */
  readonly of: string;
  /** The permissions of the endpoints of the collection. */
  readonly read: Permissions["organization" | "read"];
  readonly write: WritePermission;
}

type WritePermission = Permissions["organization" | "write"];

/** The scopes of a collection. */
export function serviceAccountScopes(collection: Collection): readonly ServiceAccountScopeRoute[] {
  const { organization, read, write } = PERMISSIONS[collection];
  const own = { read: organization, write: organization };
  return [
    { base: `/orgs/:org_id/${collection}`, word: "Organization", methods: "", of: "an organization", ...own },
    { base: `/admin/${collection}`, word: "Platform", methods: "admin.", of: "the platform", read, write },
  ];
}

type ScopeParams = { readonly org_id?: string };

/** A path without an organization belongs to the platform. */
function scopeOf({ org_id: organizationId = "" }: ScopeParams, permission: WritePermission): CollectionScope {
  return permission === "service_accounts.write" || permission === "webhooks.write"
    ? { organizationId: null, permission }
    : { organizationId, permission };
}

export function authorizeFor(deps: StoreDeps, permission: WritePermission) {
  return (caller: Principal, params: ScopeParams) =>
    authorizeServiceAccountAdmin(deps, caller, scopeOf(params, permission));
}

/** Authorizes reads: a Viewer of the platform has permission. */
export function authorizeReaderFor(deps: StoreDeps, permission: WritePermission) {
  return (caller: Principal, params: ScopeParams) =>
    authorizeServiceAccountReader(deps, caller, scopeOf(params, permission));
}

/** Authorizes reads of events, which are audit records. */
export function authorizeEventReaderFor(deps: StoreDeps, permission: WritePermission) {
  return (caller: Principal, params: ScopeParams) => authorizeEventReader(deps, caller, scopeOf(params, permission));
}
