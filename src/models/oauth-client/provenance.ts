/**
 * Rules by the provenance of a client (docs/contract.md, section 23.32): one table for every rule that differs between
 * a client of an administrator and an unregistered client.
 */
import { isDeepStrictEqual } from "node:util";
import type { oauthClients } from "../../../db/schema/oauth-provider.ts";
import type { RowOf } from "../../database/row.ts";
import {
  CLIENT_DOCUMENT_KEYS_MAX,
  CLIENT_DOCUMENT_MAX_BYTES,
  OAUTH_CLIENTS_MAX,
  OAUTH_DOCUMENT_CLIENTS_MAX,
  OAUTH_DYNAMIC_CLIENT_MAX_BYTES,
  OAUTH_DYNAMIC_CLIENTS_MAX,
} from "../../limits/oauth-limits.ts";

/**
 * Who vouches for a client: an administrator of the platform, the host of the metadata document, or no party
 * (`dynamic`: the client registered itself).
 */
export type Provenance = "administrator" | "document" | "dynamic";

type ClientRow = RowOf<typeof oauthClients>;
type Kind = Pick<ClientRow, "kind">;

/** The settings by which a user, an organization and this service recognise an unregistered client. */
const IDENTITY = ["name", "logoUrl", "redirectUris", "tokenAuthMethod", "keys", "jwksUri", "applicationType"] as const;
type IdentitySetting = (typeof IDENTITY)[number];
type Identity = Readonly<Record<IdentitySetting, unknown>>;

export interface ProvenanceRules {
  /**
   * The identity of the client for users: the name that an administrator chose, the host that serves the document, or
   * no identity, because every member of the registration is an unverified claim.
   */
  readonly identity: "name" | "document_host" | "none";
  /** The warning of every page at which a user decides about the client; null: no warning. */
  readonly warning: "unregistered" | "unverified" | null;
  /** Whether an administrator can exempt users from consent. */
  readonly mayBeFirstParty: boolean;
  /**
   * Redirect URIs for which an earlier consent gives a code without a page: https alone, or also every URI of a web
   * application. Every program on the device of the user can receive a response to a loopback address or a private
   * scheme (RFC 8252, section 8.6), and an unregistered application chooses the type.
   */
  readonly silentConsent: "https_and_web" | "https";
  /** Whether an application of every type, not a native application alone, may change the port of a loopback URI. */
  readonly mayChangeLoopbackPort: boolean;
  /**
   * How a response without a code, and a logout, leave the service: by a redirect, or by a page with a button, because
   * no party vouches for the target (RFC 9700, section 4.11.2).
   */
  readonly leavesBy: "redirect" | "page";
  /** Who changes the settings. An administrator disables, enables and deletes every client. */
  readonly changedBy: readonly ("administrator" | "document" | "registration_token")[];
  /** A change of one of these settings voids the consents of users and the approvals of organizations. */
  readonly identitySettings: readonly IdentitySetting[];
  /** How a replica knows the client: all rows in memory, or a read by the id of a request. */
  readonly loading: "all" | "by_id";
  /** Clients at one time. */
  readonly clientsMax: number;
  /** What happens to a new client beyond `clientsMax`: clients without a consent may make room. */
  readonly whenFull: "refused" | "replaces_unused";
  /** The texts of a client altogether; null: each member has its bound. */
  readonly storedMaxBytes: number | null;
  /** Keys for signatures at `jwks_uri`; null: the bytes of the key set alone have a bound. */
  readonly keysByAddressMax: number | null;
}

export const PROVENANCE_RULES = {
  administrator: {
    identity: "name",
    warning: null,
    mayBeFirstParty: true,
    silentConsent: "https_and_web",
    mayChangeLoopbackPort: false,
    leavesBy: "redirect",
    changedBy: ["administrator"],
    identitySettings: [],
    loading: "all",
    clientsMax: OAUTH_CLIENTS_MAX,
    whenFull: "refused",
    storedMaxBytes: null,
    keysByAddressMax: null,
  },
  document: {
    identity: "document_host",
    warning: "unregistered",
    mayBeFirstParty: false,
    silentConsent: "https",
    mayChangeLoopbackPort: true,
    leavesBy: "page",
    changedBy: ["document"],
    identitySettings: IDENTITY,
    loading: "by_id",
    clientsMax: OAUTH_DOCUMENT_CLIENTS_MAX,
    whenFull: "replaces_unused",
    storedMaxBytes: CLIENT_DOCUMENT_MAX_BYTES,
    keysByAddressMax: CLIENT_DOCUMENT_KEYS_MAX,
  },
  dynamic: {
    identity: "none",
    warning: "unverified",
    mayBeFirstParty: false,
    silentConsent: "https",
    mayChangeLoopbackPort: true,
    leavesBy: "page",
    changedBy: ["registration_token", "administrator"],
    identitySettings: IDENTITY,
    loading: "by_id",
    clientsMax: OAUTH_DYNAMIC_CLIENTS_MAX,
    whenFull: "replaces_unused",
    storedMaxBytes: OAUTH_DYNAMIC_CLIENT_MAX_BYTES,
    keysByAddressMax: CLIENT_DOCUMENT_KEYS_MAX,
  },
} satisfies Record<Provenance, ProvenanceRules>;

const PROVENANCES = {
  registered: "administrator",
  document: "document",
  dynamic: "dynamic",
} as const satisfies Record<ClientRow["kind"], Provenance>;

/** The kinds of rows that every replica holds in memory. */
export const KINDS_IN_MEMORY = (Object.keys(PROVENANCES) as ClientRow["kind"][]).filter(
  (kind) => rulesOf({ kind }).loading === "all",
);

export function provenanceOf({ kind }: Kind): Provenance {
  return PROVENANCES[kind];
}

/** The rules for a client. */
export function rulesOf(client: Kind): ProvenanceRules {
  return PROVENANCE_RULES[provenanceOf(client)];
}

/** Whether the user is asked about every request with the redirect URI, whatever the user allowed before. */
export function asksEachTime(client: Pick<ClientRow, "applicationType" | "kind">, redirectUri: string): boolean {
  if (redirectUri.startsWith("https:")) return false;
  return rulesOf(client).silentConsent === "https" || client.applicationType === "native";
}

/** Whether a change makes the client another client for those who consented to the client or approved the client. */
export function changesIdentity(before: Identity & Kind, after: Identity): boolean {
  return rulesOf(before).identitySettings.some((name) => !isDeepStrictEqual(before[name], after[name]));
}
