/** The settings of a client by its metadata document (docs/contract.md, section 23.30). */

import { err, ok, type Result } from "../../../base/result.ts";
import { exactUriProblem, type StoredUrl, storedUrl } from "../../../base/stored-url.ts";
import { OAUTH_URI_MAX_CHARACTERS } from "../../../limits/oauth-limits.ts";
import { idOfDocument } from "../../../models/oauth-client/document-client.ts";
import type { NewClient } from "../../../models/oauth-client/oauth-client.ts";
import { clientUriFlaw, isLoopbackUri } from "../../../models/oauth-client/redirect-uri.ts";
import { ASSERTION_GRANT, DEVICE_GRANT, type GrantType } from "../../../vocabulary/grant-type.ts";
import { withKnownMembers } from "../../../vocabulary/public-jwk.ts";
import { USER_SCOPES } from "../../../vocabulary/user-scopes.ts";
import type { ClientSettings } from "../clients/client-change.ts";
import { validateClient } from "../clients/client-rules.ts";
import { ADMINISTRATIVE_SETTINGS, readMembers } from "../clients/read-metadata.ts";
import { type LeftOut, usableSettings } from "../clients/usable-settings.ts";

const GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token", DEVICE_GRANT, ASSERTION_GRANT];
/** A document is public: it can contain no secret (draft-ietf-oauth-client-id-metadata-document, section 4.1). */
const SECRETS = ["client_secret", "client_secret_expires_at"];
const METHODS = ["none", "private_key_jwt"] as const;
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The address of a document, if a `client_id` can be one: https with a path, without user information, fragment, dot
 * segments and the dot of the root, in the normal form of URLs, so that two texts never name one document. `loopback`:
 * the service itself runs on a loopback address during development, and may read documents there.
 */
export function readDocumentUrl(clientId: string, { loopback }: { readonly loopback: boolean }): URL | undefined {
  if (exactUriProblem(clientId, OAUTH_URI_MAX_CHARACTERS)) return undefined;
  const url = new URL(clientId);
  const isLocal = loopback && url.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname);
  if (url.protocol !== "https:" && !isLocal) return undefined;
  const isPlain = !clientId.includes("#") && url.pathname !== "/";
  return isPlain && url.href === clientId ? url : undefined;
}

/** The client of a document, and the values of the document that the service does not use. */
export interface ReadDocument {
  readonly client: NewClient;
  readonly leftOut: readonly LeftOut[];
}

/** The client of a document; the error is the first flaw, for the developer of the client. */
export function readDocument(
  url: string,
  metadata: Readonly<Record<string, unknown>>,
  at: Date,
): Result<ReadDocument, string> {
  if (metadata.client_id !== url) return err("client_id is not the address of the document");
  const secret = SECRETS.find((name) => metadata[name] !== undefined);
  if (secret !== undefined) return err(`${secret} is not permitted`);
  const read = readMembers(metadata);
  const redirectUris = read.list("redirect_uris") ?? [];
  const grants = read.list("grant_types") ?? ["authorization_code"];
  const grantTypes = GRANTS.filter((grant) => grants.includes(grant));
  const name = read.text("client_name");
  const settings = {
    name: name ?? "",
    applicationType: read.choice("application_type", ["web", "native"]) ?? typeOf(redirectUris),
    tokenAuthMethod: read.choice("token_endpoint_auth_method", METHODS) ?? "none",
    grantTypes,
    redirectUris: grantTypes.includes("authorization_code") ? redirectUris : [],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    // The address at this service, once the picture has been fetched and decoded.
    logoUrl: null,
    policyUri: pageOf(read.text("policy_uri")),
    tosUri: pageOf(read.text("tos_uri")),
    clientUri: pageOf(read.text("client_uri")),
    keys: read.keys("jwks") ?? [],
    jwksUri: read.text("jwks_uri") ?? null,
    idTokenSignedResponseAlg: read.choice("id_token_signed_response_alg", ["RS256", "ES256", "EdDSA"]) ?? "RS256",
    requirePushedRequests: read.flag("require_pushed_authorization_requests") ?? false,
    requireSignedRequestObject: read.flag("require_signed_request_object") ?? false,
    dpopBoundAccessTokens: read.flag("dpop_bound_access_tokens") ?? false,
    ...ADMINISTRATIVE_SETTINGS,
    // Scopes and identifiers of open APIs are added at every request.
    scopes: USER_SCOPES.filter((scope) => scope !== "offline_access" || grantTypes.includes("refresh_token")),
    resources: [],
  } satisfies ClientSettings;
  const flaw = read.flaw();
  if (flaw) return err(flaw);
  if (grantTypes.length === 0) return err("grant_types has no supported grant");
  const { settings: usable, leftOut } = usableSettings(settings);
  const client = { ...usable, kind: "document" as const, id: idOfDocument(url), createdAt: at, updatedAt: at };
  const valid = validateClient(client);
  if (!valid.ok) return err(`${valid.error[0].field}: ${valid.error[0].text}`);
  return ok({ client: { ...valid.value, keys: valid.value.keys.map(withKnownMembers) }, leftOut });
}

/** The address of the logo, if the document names a picture. */
export function readLogoUri({ logo_uri: uri }: Readonly<Record<string, unknown>>): StoredUrl | undefined {
  const url = typeof uri === "string" ? storedUrl(uri) : undefined;
  return url !== undefined && clientUriFlaw(url) === undefined ? url : undefined;
}

/** Whether any program on the device of the user can receive the response, or without a URI every response. */
export function isOfDevice({ redirectUris }: Pick<NewClient, "redirectUris">, redirectUri?: string): boolean {
  return (redirectUri === undefined ? redirectUris : [redirectUri]).every(isLoopbackUri);
}

/** A program on the device of the user has a loopback address or a private scheme (RFC 8252, section 7). */
function typeOf(redirectUris: readonly string[]): "native" | "web" {
  return redirectUris.some((uri) => isLoopbackUri(uri) || !/^https?:/i.test(uri)) ? "native" : "web";
}

/** Links of the consent page: https alone. */
function pageOf(uri: string | undefined): string | null {
  const url = storedUrl(uri);
  return url?.startsWith("https://") ? url : null;
}
