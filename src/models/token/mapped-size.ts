/** Claims of mappings within the bound of a token or response (docs/contract.md, section 23.34). */
import { CLAIM_VALUE_BY_ENDPOINT_MAX_BYTES, CLAIM_VALUE_MAX_BYTES } from "../../limits/claim-limits.ts";
import { TOKEN_CHARACTERS_MAX } from "../../limits/token-limits.ts";
import { type JsonValue, REPLACEABLE_CLAIMS } from "../../vocabulary/claim-mapping.ts";
import { bytesOf, type Claims, cutLists, fitClaims, payloadBytesMax, type TokenShape } from "./token-size.ts";

/** A claim with a value, in the order of the mappings. `isCut`: the reading had more than the value. */
export interface MappedClaim {
  readonly claim: string;
  readonly value: JsonValue;
  readonly isCut: boolean;
}

export interface FittedClaims<Given> {
  readonly claims: Given & { readonly claims_truncated?: readonly string[] };
  /** The claims of mappings that were cut or left out. */
  readonly truncated: readonly string[];
}

/** The values that remain, and the names that were cut. */
interface Remaining {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly truncated: ReadonlySet<string>;
}

/**
 * The claims of a token with the claims of mappings, within `charactersMax`: lists of mappings are cut at whole
 * elements, the longest first, then lists of the service, then claims of mappings are left out, the last first.
 * Undefined: the claims of the service have no room by themselves.
 */
export function fitMappedClaims<Given extends object>(
  shape: TokenShape,
  base: Given,
  mapped: readonly MappedClaim[],
  charactersMax: number = TOKEN_CHARACTERS_MAX[shape.kind],
): FittedClaims<Given> | undefined {
  const max = payloadBytesMax(shape, charactersMax);
  let remaining = withinValues(mapped, CLAIM_VALUE_MAX_BYTES);
  remaining = cutLongestLists(remaining, (each) => bytesOf(merge(base, each)) - max);
  let own: Claims = base as Claims;
  if (bytesOf(merge(own, remaining)) > max) own = cutListsBeside(shape, own, remaining, max);
  remaining = leaveOut(remaining, (each) => bytesOf(merge(own, each)) > max);
  const whole = merge(own, remaining);
  const fitting = bytesOf(whole) <= max ? whole : fitClaims(shape, whole);
  return fitting && { claims: fitting as Given, truncated: [...remaining.truncated] };
}

/** The cuts of the service's own lists: the room is what the claims of mappings leave. */
function cutListsBeside(shape: TokenShape, own: Claims, remaining: Remaining, max: number): Claims {
  const beside = bytesOf(merge(own, remaining)) - bytesOf(own);
  return cutLists(shape.kind, own, max - beside);
}

/** The values for UserInfo or introspection, with `claims_truncated`. */
export function fitValues(mapped: readonly MappedClaim[]): FittedClaims<Claims> {
  const max = CLAIM_VALUE_BY_ENDPOINT_MAX_BYTES;
  let remaining = withinValues(mapped, max);
  remaining = cutLongestLists(remaining, (each) => bytesOf(merge({}, each)) - max);
  remaining = leaveOut(remaining, (each) => bytesOf(merge({}, each)) > max);
  return { claims: merge({}, remaining), truncated: [...remaining.truncated] };
}

function merge(base: object, { values, truncated }: Remaining): Claims {
  const claims = mergeClaims(base as Claims, Object.fromEntries(values));
  return truncated.size === 0 ? claims : { ...claims, claims_truncated: [...truncated] };
}

/** The claims of the service with fitted claims of mappings, which replace few claims of the service. */
export function mergeClaims<Own extends object>(own: Own, mapped: Claims): Own {
  const added = Object.entries(mapped).filter(([name]) => !Object.hasOwn(own, name) || REPLACEABLE_CLAIMS.has(name));
  return { ...own, ...Object.fromEntries(added) };
}

/** The values within the bound of one value. */
function withinValues(mapped: readonly MappedClaim[], max: number): Remaining {
  const values = new Map<string, JsonValue>();
  const truncated = new Set<string>();
  for (const { claim, value, isCut } of mapped) {
    const fitting = bytesOf(value) <= max ? value : isList(value) ? beginningOf(value, max) : undefined;
    if (fitting !== undefined) values.set(claim, fitting);
    if (fitting !== value || isCut) truncated.add(claim);
  }
  return { values, truncated };
}

/** Cuts lists, the longest first, until there is no excess. */
function cutLongestLists(before: Remaining, excessOf: (remaining: Remaining) => number): Remaining {
  let remaining = before;
  for (let excess = excessOf(remaining); excess > 0; excess = excessOf(remaining)) {
    const longest = longestList(remaining.values);
    if (!longest) break;
    const [claim, list] = longest;
    const truncated = new Set(remaining.truncated).add(claim);
    // The name of the claim in `claims_truncated` takes room as well.
    const marked = excessOf({ values: remaining.values, truncated });
    const cut = beginningOf(list, Math.max(bytesOf(list) - marked, EMPTY_LIST_BYTES));
    remaining = { values: new Map(remaining.values).set(claim, cut), truncated };
  }
  return remaining;
}

const EMPTY_LIST_BYTES = 2;

function longestList(values: ReadonlyMap<string, JsonValue>): readonly [string, readonly JsonValue[]] | undefined {
  const lists = [...values].flatMap(([claim, value]) =>
    isList(value) && value.length > 0 ? [{ claim, value, bytes: bytesOf(value) }] : [],
  );
  const [longest] = lists.sort((one, other) => other.bytes - one.bytes);
  return longest && [longest.claim, longest.value];
}

/** Leaves claims out, the last first, while there is an excess. */
function leaveOut(before: Remaining, exceeds: (remaining: Remaining) => boolean): Remaining {
  let remaining = before;
  for (const claim of [...before.values.keys()].reverse()) {
    if (!exceeds(remaining)) break;
    const values = new Map(remaining.values);
    values.delete(claim);
    remaining = { values, truncated: new Set(remaining.truncated).add(claim) };
  }
  return remaining;
}

/** The longest beginning of a list within `max` bytes of JSON. */
function beginningOf(list: readonly JsonValue[], max: number): readonly JsonValue[] {
  let room = max - EMPTY_LIST_BYTES;
  const end = list.findIndex((element, index) => {
    room -= bytesOf(element) + (index === 0 ? 0 : 1);
    return room < 0;
  });
  return end < 0 ? list : list.slice(0, end);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
