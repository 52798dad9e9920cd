/** Claim mappings: rules for one claim of an application or API (docs/contract.md, section 23.34). */

export const CLAIM_DESTINATIONS = ["id_token", "userinfo"] as const;
export type ClaimDestination = (typeof CLAIM_DESTINATIONS)[number];

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** With the member names of the column and of the wire. Exactly one of `attribute`, `constant` and `expression`. */
export interface ClaimMapping {
  readonly claim: string;
  /** A source, with the path of a member where the source is an object. */
  readonly attribute?: string;
  readonly constant?: JsonValue;
  /** CEL. */
  readonly expression?: string;
  /** Null: with `openid` for an application, always for an API. */
  readonly scope: string | null;
  /** Values with the slug of the organization, such as `acme:admins`. */
  readonly qualified: boolean;
  readonly allow_user_control: boolean;
}

/** A mapping of an application. Claims of an API are in access tokens and introspection. */
export interface ApplicationMapping extends ClaimMapping {
  readonly in: readonly ClaimDestination[];
}

/** `withheld`: the scope, or the consent that names the data, is not granted. */
export const CLAIM_OUTCOMES = ["released", "withheld", "absent", "error", "truncated"] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** The outcome of one claim, without the value. */
export interface ClaimRecord {
  readonly claim: string;
  readonly outcome: ClaimOutcome;
}

/** Whether `explain` lists the request of a record without a sample, within a bound. */
export function isNoteworthy({ outcome }: ClaimRecord): boolean {
  return outcome === "error" || outcome === "truncated";
}

/** A name of a claim that is no URL. */
const CLAIM_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

export function isClaimName(text: string): boolean {
  return CLAIM_NAME.test(text);
}

/** Claims of the protocol and of the service, and keys that no JSON of this service has (section 2.2). */
const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "auth_time", "nonce", "acr", "amr", "azp", "at_hash", "c_hash"],
  ...["s_hash", "sid", "cnf", "act", "may_act", "client_id", "scope", "typ", "events", "org", "org_slug"],
  ...["organization", "email", "email_verified", "phone_number", "phone_number_verified", "enrolment_only"],
  ...["claims_truncated", "_claim_names", "_claim_sources", "__proto__", "constructor", "prototype"],
]);

/** Members of introspection (RFC 7662, section 2.2) that no claim of an API replaces. */
const RESERVED_OF_INTROSPECTION: ReadonlySet<string> = new Set(["active", "token_type", "username"]);

export function isReservedClaim(claim: string): boolean {
  return RESERVED_CLAIMS.has(claim);
}

export function isReservedOfIntrospection(claim: string): boolean {
  return RESERVED_OF_INTROSPECTION.has(claim);
}

/** Claims of the scope `profile` that a mapping of an application replaces. */
export const REPLACEABLE_CLAIMS: ReadonlySet<string> = new Set(["name", "preferred_username", "picture", "locale"]);

/** Claims that describe a person, and decide about no access (OpenID Connect Core, section 5.1). */
const PROFILE_CLAIMS: ReadonlySet<string> = new Set([
  ...["name", "given_name", "family_name", "middle_name", "nickname", "picture", "website", "zoneinfo", "locale"],
  ...["birthdate", "gender", "address", "updated_at"],
]);

export function isProfileClaim(claim: string): boolean {
  return PROFILE_CLAIMS.has(claim);
}

/** Claims that name an account in many products. */
const LOGIN_CLAIMS: ReadonlySet<string> = new Set(["preferred_username", "username", "login", "upn"]);

export function isLoginClaim(claim: string): boolean {
  return LOGIN_CLAIMS.has(claim);
}

/** Whether the granted scopes release a mapping of an application (`openid` without a scope) or of an API. */
export function isGranted(
  { scope }: Pick<ClaimMapping, "scope">,
  scopes: readonly string[],
  owner: "api" | "application",
): boolean {
  if (scope !== null) return scopes.includes(scope);
  return owner === "api" || scopes.includes("openid");
}

/** The scope under which the consent page lists the data of a mapping. */
export function displayedScope({ scope }: Pick<ClaimMapping, "scope">): string {
  return scope ?? "openid";
}
