/** Claims that are cut so that a token stays within the bound of its kind (docs/contract.md, section 23.9). */

import { TOKEN_CHARACTERS_MAX } from "../../limits/token-limits.ts";
import type { ProviderAlgorithm } from "../../vocabulary/provider-algorithm.ts";

/** A claim that is cut: a list loses members from the end, another value is left out as a whole. */
interface Cut {
  readonly path: readonly [string] | readonly [string, string];
  /** The member beside the claim that reports the cut. Absent: the claim may be absent for other reasons. */
  readonly marker?: string;
}

type CutKind = "oauth_access" | "id";

/** In this order, until the token fits. Groups come first: they grow without a bound of this service. */
const CUTS: Readonly<Record<CutKind, readonly Cut[]>> = {
  oauth_access: [
    { path: ["groups"], marker: "groups_truncated" },
    { path: ["permissions"], marker: "permissions_truncated" },
    { path: ["roles"], marker: "roles_truncated" },
    { path: ["name"] },
    { path: ["org_slug"] },
    { path: ["email"] },
  ],
  id: [
    { path: ["groups"], marker: "groups_truncated" },
    { path: ["organization", "member_public_metadata"], marker: "metadata_truncated" },
    { path: ["organization", "public_metadata"], marker: "metadata_truncated" },
    { path: ["organization", "roles"], marker: "roles_truncated" },
    { path: ["roles"], marker: "roles_truncated" },
    { path: ["picture"] },
    { path: ["name"] },
    { path: ["preferred_username"] },
  ],
};

/** What the cuts leave of the lists of an access token: an empty list and the marker of each. */
export const CUT_ACCESS_CLAIMS: Readonly<Record<string, unknown>> = Object.fromEntries(
  CUTS.oauth_access.flatMap(({ path: [name], marker }) =>
    marker ? [[name, []] as const, [marker, true] as const] : [],
  ),
);

/** Signatures in base64url: 256 bytes with RS256, 64 bytes with any other algorithm. */
const SIGNATURE_CHARACTERS = { RS256: 342, ES256: 86, EdDSA: 86 } as const satisfies Record<ProviderAlgorithm, number>;
const SEPARATORS = 2;

export interface TokenShape {
  readonly kind: CutKind;
  readonly algorithm: ProviderAlgorithm;
  /** The encoded protected header. */
  readonly header: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token within the bound of its kind; undefined: the claims exceed the bound after every cut. */
export function fitClaims<Given extends object>(shape: TokenShape, claims: Given): Given | undefined {
  const max = payloadBytesMax(shape);
  const fitting = cutClaims(CUTS[shape.kind], claims as Claims, max);
  return bytesOf(fitting) <= max ? (fitting as Given) : undefined;
}

/** The claims after the cuts of lists and metadata alone, at most as many as `max` needs. */
export function cutLists(kind: CutKind, claims: Claims, max: number): Claims {
  const ofLists = CUTS[kind].filter(({ marker }) => marker !== undefined);
  return cutClaims(ofLists, claims, max);
}

function cutClaims(cuts: readonly Cut[], claims: Claims, max: number): Claims {
  let fitting = claims;
  for (const cut of cuts) {
    if (bytesOf(fitting) <= max) break;
    fitting = applyCut(fitting, cut, max);
  }
  return fitting;
}

/** The bytes of the payload: base64url has 4 characters for 3 bytes. */
export function payloadBytesMax(
  { kind, algorithm, header }: TokenShape,
  charactersMax: number = TOKEN_CHARACTERS_MAX[kind],
): number {
  const characters = charactersMax - header.length - SIGNATURE_CHARACTERS[algorithm] - SEPARATORS;
  return Math.floor((characters * 3) / 4);
}

export function bytesOf(claims: unknown): number {
  return Buffer.byteLength(JSON.stringify(claims));
}

function applyCut(claims: Claims, { path: [name, inner], marker }: Cut, max: number): Claims {
  const value = claims[name];
  if (value === undefined) return claims;
  if (inner === undefined) return withoutEnd(claims, name, marker, max);
  const others = bytesOf({ ...claims, [name]: {} }) - bytesOf({});
  return { ...claims, [name]: withoutEnd(value as Claims, inner, marker, max - others) };
}

/** The record with the longest beginning of a list that fits, or without the value; the marker reports the cut. */
function withoutEnd(record: Claims, name: string, marker: string | undefined, max: number): Claims {
  const value = record[name];
  if (value === undefined) return record;
  const { [name]: _cut, ...rest } = record;
  const marked: Claims = marker === undefined ? rest : { ...rest, [marker]: true };
  if (!Array.isArray(value)) return marked;
  let room = max - bytesOf({ ...marked, [name]: [] });
  const kept = value.findIndex((member) => {
    room -= bytesOf(member) + 1;
    return room < 0;
  });
  return { ...marked, [name]: value.slice(0, Math.max(kept, 0)) };
}
