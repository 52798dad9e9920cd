/** The rules of claim mappings (docs/contract.md, section 23.34): names, sources, and who controls a value. */
import { isDeepStrictEqual } from "node:util";
import type { FieldFlaw, InputFlaw } from "../../base/invalid-input.ts";
import { holdsUnstorableText } from "../../base/storable-text.ts";
import {
  CLAIM_CONSTANT_LEVELS_MAX,
  CLAIM_CONSTANT_MAX_BYTES,
  CLAIM_MAPPINGS_MAX,
  CLAIM_URL_MAX_CHARACTERS,
} from "../../limits/claim-limits.ts";
import {
  type ApplicationMapping,
  CLAIM_DESTINATIONS,
  type ClaimMapping,
  isClaimName,
  isLoginClaim,
  isProfileClaim,
  isReservedClaim,
  isReservedOfIntrospection,
  type JsonValue,
} from "../../vocabulary/claim-mapping.ts";
import {
  type ClaimSourceName,
  LOGIN_SOURCES,
  QUALIFIABLE_SOURCES,
  type SourceControl,
  sourceOf,
} from "../../vocabulary/claim-sources.ts";
import { compileMapping } from "./compile-mappings.ts";

/** The application or API of the mappings. */
export interface MappingOwner {
  readonly kind: "api" | "application";
  /** The scopes of the client or of the API. */
  readonly scopes: readonly string[];
  /** Null: every organization. */
  readonly organizations: readonly string[] | null;
  readonly isPairwise: boolean;
  /** Claims that the API already has by its `claims`. */
  readonly ownClaims: readonly string[];
}

/** A mapping of an application has destinations. */
type GivenMapping = ClaimMapping & Partial<Pick<ApplicationMapping, "in">>;

const FIELD = "claim_mappings";

/** All flaws of a list of mappings; the text of a flaw names the claim and the reason. */
export function mappingFlaws(owner: MappingOwner, mappings: readonly GivenMapping[]): readonly FieldFlaw[] {
  if (mappings.length > CLAIM_MAPPINGS_MAX) {
    return [{ field: FIELD, rule: "too_long", text: `at most ${CLAIM_MAPPINGS_MAX}` }];
  }
  return mappings.flatMap((mapping, index) => {
    const named = nameFlaw(owner, mapping.claim);
    if (named) return [{ field: FIELD, path: `${FIELD}.${index}.claim`, ...named }];
    const isRepeated = mappings.findIndex(({ claim }) => claim === mapping.claim) < index;
    const flaw = isRepeated ? REPEATED : (shapeFlaw(owner, mapping) ?? sourceFlaw(owner, mapping));
    return flaw ? [{ field: FIELD, rule: flaw.rule, text: `${mapping.claim}: ${flaw.text}` }] : [];
  });
}

const REPEATED: InputFlaw = { rule: "conflicting", text: "a second mapping of the claim" };

function nameFlaw({ kind, ownClaims }: MappingOwner, claim: string): InputFlaw | undefined {
  if (!isClaimName(claim) && !isClaimUrl(claim)) {
    return { rule: "format", text: "a name of letters, digits, _ . - (64 at most), or an https URL of 200 characters" };
  }
  const isReserved = isReservedClaim(claim) || (kind === "api" && isReservedOfIntrospection(claim));
  return isReserved || ownClaims.includes(claim)
    ? { rule: "not_allowed", text: `${claim} is a claim of the service` }
    : undefined;
}

/** An https URL without white space and control characters. */
const CLAIM_URL = /^https:\/\/[^\s\p{C}]+$/u;

function isClaimUrl(claim: string): boolean {
  return claim.length <= CLAIM_URL_MAX_CHARACTERS && CLAIM_URL.test(claim) && URL.canParse(claim);
}

function shapeFlaw(owner: MappingOwner, mapping: GivenMapping): InputFlaw | undefined {
  const { attribute, constant, expression, scope } = mapping;
  const given = [attribute, constant, expression].filter((source) => source !== undefined).length;
  if (given === 0) return { rule: "required", text: "needs attribute, constant or expression" };
  if (given > 1) return { rule: "conflicting", text: "one of attribute, constant and expression" };
  if (scope !== null && !owner.scopes.includes(scope)) {
    return { rule: "conflicting", text: `${owner.kind === "api" ? "the API" : "the application"} lacks the scope` };
  }
  if ([attribute, expression].some((text) => text !== undefined && holdsUnstorableText(text))) return UNSTORABLE;
  return (constant === undefined ? undefined : constantFlaw(constant)) ?? destinationFlaw(owner, mapping);
}

const UNSTORABLE: InputFlaw = { rule: "format", text: "contains a NUL or an unpaired surrogate" };

function constantFlaw(constant: JsonValue): InputFlaw | undefined {
  if (constant === null) return { rule: "required", text: "the constant is null" };
  if (Buffer.byteLength(JSON.stringify(constant)) > CLAIM_CONSTANT_MAX_BYTES) {
    return { rule: "too_long", text: `the constant has at most ${CLAIM_CONSTANT_MAX_BYTES} bytes` };
  }
  if (levelsOf(constant) > CLAIM_CONSTANT_LEVELS_MAX) {
    return { rule: "too_long", text: `the constant has at most ${CLAIM_CONSTANT_LEVELS_MAX} levels` };
  }
  return holdsUnstorableText(constant) ? UNSTORABLE : undefined;
}

function levelsOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member) => levelsOf(member)));
}

function destinationFlaw({ kind }: MappingOwner, mapping: GivenMapping): InputFlaw | undefined {
  if (kind === "api") return undefined;
  const destinations = mapping.in ?? [];
  if (destinations.length === 0) return { rule: "required", text: "in names id_token, userinfo or both" };
  return new Set(destinations).size < destinations.length || destinations.length > CLAIM_DESTINATIONS.length
    ? { rule: "conflicting", text: "in contains a duplicate" }
    : undefined;
}

function sourceFlaw(owner: MappingOwner, mapping: ClaimMapping): InputFlaw | undefined {
  const compiled = compileMapping(mapping);
  if (!compiled.ok) return compiled.error;
  const { sources } = compiled.value;
  return (
    qualifiedFlaw(mapping, sources) ??
    identifierFlaw(owner, sources) ??
    organizationFlaw(owner, mapping, sources) ??
    loginFlaw(mapping, sources) ??
    userFlaw(mapping, sources)
  );
}

function qualifiedFlaw(
  { qualified, attribute }: ClaimMapping,
  [name]: readonly ClaimSourceName[],
): InputFlaw | undefined {
  const isQualifiable = attribute !== undefined && name !== undefined && QUALIFIABLE_SOURCES.has(name);
  return !qualified || isQualifiable
    ? undefined
    : { rule: "not_allowed", text: "qualified is for the attributes groups, roles and member.role" };
}

/** One subject of every application would undo the separation by sectors. */
function identifierFlaw({ isPairwise }: MappingOwner, sources: readonly ClaimSourceName[]): InputFlaw | undefined {
  const global = isPairwise ? sources.find((name) => sourceOf(name).isGlobalIdentifier) : undefined;
  return global && { rule: "not_allowed", text: `${global} identifies the user beyond pairwise subjects` };
}

/**
 * Every registered user owns an organization and names groups, roles, slug and metadata there, so that a value of any
 * organization is no authority.
 */
function organizationFlaw(
  { kind, organizations }: MappingOwner,
  { qualified }: ClaimMapping,
  sources: readonly ClaimSourceName[],
): InputFlaw | undefined {
  const named = (organizations ?? []).length > 0;
  const source = named || qualified ? undefined : controlledBy("organization", sources);
  const subject = kind === "api" ? "API" : "application";
  return (
    source && {
      rule: "not_allowed",
      text: `${source} is set by organizations: name the organizations of the ${subject}, or qualify the values`,
    }
  );
}

function loginFlaw(mapping: ClaimMapping, sources: readonly ClaimSourceName[]): InputFlaw | undefined {
  if (!isLoginClaim(mapping.claim) || mapping.allow_user_control) return undefined;
  const isLogin = mapping.attribute !== undefined && sources.every((name) => LOGIN_SOURCES.has(name));
  return isLogin
    ? undefined
    : {
        rule: "not_allowed",
        text: "the claim names an account: user.login, user.email, user.id or user.number, or allow_user_control",
      };
}

function userFlaw(mapping: ClaimMapping, sources: readonly ClaimSourceName[]): InputFlaw | undefined {
  if (mapping.allow_user_control || isProfileClaim(mapping.claim) || isLoginClaim(mapping.claim)) return undefined;
  const source = controlledBy("user", sources);
  return source && { rule: "not_allowed", text: `${source} is set by users: allow_user_control accepts that` };
}

function controlledBy(control: SourceControl, sources: readonly ClaimSourceName[]): ClaimSourceName | undefined {
  return sources.find((name) => sourceOf(name).control === control);
}

/** Whether an organization controls the value of a mapping, unqualified. */
export function isOfOrganization(mapping: ClaimMapping, sources: readonly ClaimSourceName[]): boolean {
  return !mapping.qualified && controlledBy("organization", sources) !== undefined;
}

/** Whether two APIs have one mapping. */
export function isSameMapping(one: ClaimMapping, other: ClaimMapping): boolean {
  return isDeepStrictEqual(one, other);
}
