/** The rules of trusts in external issuers (docs/contract.md, section 35.11). */
import { isJsonObject } from "./json-object.ts";

/** A value of a claim. `equals` compares type and value. */
export type ClaimValue = string | number | boolean;

/** A condition on a claim of an assertion. `claim`: a name, or a JSON Pointer with a leading slash (RFC 6901). */
export type TrustCondition =
  | { readonly claim: string; readonly equals: ClaimValue }
  | { readonly claim: string; readonly one_of: readonly ClaimValue[] }
  | { readonly claim: string; readonly starts_with: string };

/** Signatures by public keys alone, so that a public key is never the secret of an HMAC (RFC 8725, section 3.1). */
export const FEDERATION_ALGORITHMS = ["RS256", "PS256", "ES256", "ES384", "EdDSA"] as const;

/** The explicit types of tokens for other purposes (RFC 8725, section 3.11). */
export const REFUSED_ASSERTION_TYPES: readonly string[] = [
  "at+jwt",
  "logout+jwt",
  "oauth-id-jag+jwt",
  "dpop+jwt",
  "secevent+jwt",
];

/** Header parameters by which a token names a key of its own, or a rule that this service does not know. */
export const REFUSED_HEADERS = ["crit", "jku", "jwk", "x5u"] as const;

export const SPIFFE_SCHEME = "spiffe://";

/** The checks of an assertion, in the order of evaluation. */
export const ASSERTION_CHECKS = [
  "form",
  "trust",
  "disabled",
  "address",
  "algorithm",
  "header",
  "type",
  "key",
  "signature",
  "issuer",
  "audience",
  "expiry",
  "age",
  "subject",
  "condition",
  "single_use",
] as const;
export type AssertionCheckName = (typeof ASSERTION_CHECKS)[number];

/** Why an assertion is refused: in the trail, in `explain` and in the test of a trust. */
export type AssertionRefusal = AssertionCheckName | "keys_unavailable" | "replayed";

/**
 * Issuers that many tenants share. The names of their tokens can pass to a third party, such as the name of a deleted
 * repository, so that a trust needs a condition on an id that is never given to a second owner.
 */
interface SharedIssuer {
  readonly name: string;
  readonly matches: (issuer: string) => boolean;
  /** A trust needs a condition on all claims of one of these sets. */
  readonly ids: readonly (readonly string[])[];
}

const below = (prefix: string) => (issuer: string) => issuer.startsWith(prefix);
const exactly = (url: string) => (issuer: string) => issuer === url || issuer === `${url}/`;
const exactlyOrBelow = (url: string) => (issuer: string) => issuer === url || issuer.startsWith(`${url}/`);

export const SHARED_ISSUERS: readonly SharedIssuer[] = [
  {
    name: "GitHub",
    matches: exactlyOrBelow("https://token.actions.githubusercontent.com"),
    ids: [["repository_id"], ["repository_owner_id"]],
  },
  { name: "GitLab.com", matches: exactly("https://gitlab.com"), ids: [["project_id"], ["namespace_id"]] },
  {
    name: "Bitbucket",
    matches: below("https://api.bitbucket.org/"),
    ids: [["repositoryUuid"], ["workspaceUuid"]],
  },
  {
    name: "CircleCI",
    matches: exactlyOrBelow("https://oidc.circleci.com"),
    ids: [["oidc.circleci.com/project-id"], ["oidc.circleci.com/org-id"]],
  },
  {
    name: "Buildkite",
    matches: exactly("https://agent.buildkite.com"),
    ids: [["organization_id"], ["pipeline_id"]],
  },
  {
    name: "Terraform Cloud",
    matches: exactly("https://app.terraform.io"),
    ids: [["terraform_organization_id"], ["terraform_project_id"], ["terraform_workspace_id"]],
  },
  { name: "Google", matches: exactly("https://accounts.google.com"), ids: [["sub"]] },
  {
    name: "Entra",
    matches: (issuer) => /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\//.test(issuer),
    ids: [["tid", "oid"]],
  },
];

/** The immutable ids of which a trust in the issuer lacks a condition; undefined: nothing is missing. */
export function missingImmutableId(issuer: string, conditions: readonly TrustCondition[]): string | undefined {
  const shared = SHARED_ISSUERS.find(({ matches }) => matches(issuer));
  if (!shared) return undefined;
  const named = new Set(conditions.filter((each) => !("starts_with" in each)).map(({ claim }) => plainName(claim)));
  if (shared.ids.some((claims) => claims.every((claim) => named.has(claim)))) return undefined;
  return shared.ids.map((claims) => claims.join(" and ")).join(", or ");
}

/** The name of a claim at the top of the claims, written as a name or as a JSON Pointer. */
function plainName(claim: string): string {
  const isPointer = claim.startsWith("/") && !claim.slice(1).includes("/");
  return isPointer ? unescapePointer(claim.slice(1)) : claim;
}

function unescapePointer(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The value of a claim; undefined: absent. Members of objects alone count, never elements of lists. */
export function readClaim(claims: Readonly<Record<string, unknown>>, claim: string): unknown {
  if (!claim.startsWith("/")) return ownMember(claims, claim);
  return claim.slice(1).split("/").map(unescapePointer).reduce<unknown>(ownMember, claims);
}

function ownMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether the claims meet a condition. */
export function conditionHolds(condition: TrustCondition, claims: Readonly<Record<string, unknown>>): boolean {
  const value = readClaim(claims, condition.claim);
  if ("equals" in condition) return value === condition.equals;
  if ("one_of" in condition) return condition.one_of.some((each) => each === value);
  return typeof value === "string" && value.startsWith(condition.starts_with);
}

/** Whether the issuer names a trust domain (SPIFFE-ID, section 2.1). */
export function isTrustDomain(issuer: string): boolean {
  return issuer.startsWith(SPIFFE_SCHEME);
}
