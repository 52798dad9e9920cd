/** The scopes of service accounts and webhooks: an organization or the platform, with equal endpoints. */
import type { StoreDeps } from "../deps.ts";
import {
  authorizeEventReader,
  authorizeServiceAccountAdmin,
  authorizeServiceAccountReader,
} from "../flows/steps/authorization/authorize-service-accounts.ts";
import type { KeyCaller } from "./guards/api-key.ts";
import type { Caller } from "./guards/caller.ts";

export interface ServiceAccountScopeRoute {
  /** Path of the collection. */
  readonly base: string;
  /** In operation ids. */
  readonly word: "Organization" | "Platform";
  /** In summaries. */
  readonly of: string;
}

/** The homes of a collection: `service-accounts`. */
export function serviceAccountScopes(collection: string): readonly ServiceAccountScopeRoute[] {
  return [
    { base: `/orgs/:org_id/${collection}`, word: "Organization", of: "an organization" },
    { base: `/admin/${collection}`, word: "Platform", of: "the platform" },
  ];
}

/** A path without an organization belongs to the platform. */
export function authorizeFor(deps: StoreDeps) {
  return ({ session }: Caller, { org_id }: { readonly org_id?: string }) =>
    authorizeServiceAccountAdmin(deps, session, org_id ?? null);
}

/** Authorizes reads: a Viewer of the platform has permission. */
export function authorizeReaderFor(deps: StoreDeps) {
  return ({ session }: Caller, { org_id }: { readonly org_id?: string }) =>
    authorizeServiceAccountReader(deps, session, org_id ?? null);
}

/** Authorizes reads of events, which are audit records: an API key has permission too. */
export function authorizeEventReaderFor(deps: StoreDeps) {
  return (caller: Caller | KeyCaller, { org_id }: { readonly org_id?: string }) =>
    authorizeEventReader(deps, caller, org_id ?? null);
}
