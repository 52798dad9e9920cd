/** The bound of every token on issue is the bound on reading (docs/contract.md, section 23.26). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TOKEN_CHARACTERS_MAX } from "../../../src/limits/token-limits.ts";
import { encodeProviderHeader, signingInput, splitCompact } from "../../../src/models/token/compact.ts";
import { fitClaims } from "../../../src/models/token/token-size.ts";
import type { ProviderAlgorithm } from "../../../src/vocabulary/provider-algorithm.ts";

const KID = "k".repeat(43);
const SIGNATURES: Record<ProviderAlgorithm, string> = {
  RS256: "A".repeat(342),
  ES256: "A".repeat(86),
  EdDSA: "A".repeat(86),
};
const algorithm = fc.constantFrom<ProviderAlgorithm>("RS256", "ES256", "EdDSA");
const text = (maxLength: number) => fc.string({ unit: "grapheme", maxLength, size: "max" });
const names = (max: number, length: number) => fc.array(text(length), { maxLength: max, size: "max" });
const metadata = fc.dictionary(text(20), text(1_500), { maxKeys: 4 });

const ofApi = fc.record(
  {
    groups: names(50, 200),
    permissions: names(200, 60),
    roles: names(50, 60),
    name: text(120),
    org_slug: text(63),
    email: text(254),
  },
  { requiredKeys: [] },
);
const ofUser = fc.record(
  {
    groups: names(50, 200),
    roles: names(50, 60),
    name: text(120),
    picture: text(200),
    organization: fc.record(
      { id: text(36), roles: names(50, 60), public_metadata: metadata, member_public_metadata: metadata },
      { requiredKeys: ["id"] },
    ),
  },
  { requiredKeys: [] },
);
/** The longest protocol claims of a request within the bounds of scopes, resources, nonce and actors. */
const ACCESS = {
  iss: `https://${"i".repeat(60)}.example.test`,
  typ: "oauth_access",
  sub: "s".repeat(43),
  aud: [...Array.from({ length: 4 }, () => "r".repeat(199)), `https://${"i".repeat(60)}.example.test`],
  client_id: "c".repeat(36),
  scope: "s".repeat(800),
  sid: "u".repeat(36),
  jti: "u".repeat(36),
  iat: 1_900_000_000,
  exp: 1_900_000_900,
  org: "u".repeat(36),
  acr: "aal2",
  auth_time: 1_900_000_000,
  cnf: { jkt: "j".repeat(43) },
  act: { sub: "u".repeat(36), act: { sub: "u".repeat(36), act: { sub: "u".repeat(36) } } },
};
const ID = { iss: ACCESS.iss, sub: ACCESS.sub, aud: "c".repeat(500), nonce: "n".repeat(512), at_hash: "h".repeat(43) };

function tokenOf(kind: "oauth_access" | "id", alg: ProviderAlgorithm, claims: object) {
  const header = encodeProviderHeader(kind, alg, KID);
  const fitting = fitClaims({ kind, algorithm: alg, header }, claims);
  if (!fitting) throw new Error("the protocol claims do not fit");
  return { fitting, token: `${signingInput(header, fitting)}.${SIGNATURES[alg]}` };
}

describe("the bound of tokens (G400)", () => {
  test("every access token is read again, whatever roles, groups and claims the user has", () => {
    fc.assert(
      fc.property(algorithm, ofApi, (alg, claims) => {
        const { token, fitting } = tokenOf("oauth_access", alg, { ...claims, ...ACCESS });
        expect(token.length).toBeLessThanOrEqual(TOKEN_CHARACTERS_MAX.oauth_access);
        expect(splitCompact(token, "oauth_access")).toBeDefined();
        expect(fitting).toMatchObject(ACCESS);
      }),
    );
  });

  test("every ID token is read again as a hint, whatever metadata the organization and the member have", () => {
    fc.assert(
      fc.property(algorithm, ofUser, (alg, claims) => {
        const { token, fitting } = tokenOf("id", alg, { ...claims, ...ID });
        expect(token.length).toBeLessThanOrEqual(TOKEN_CHARACTERS_MAX.id);
        expect(splitCompact(token, "id")).toBeDefined();
        expect(fitting).toMatchObject(ID);
      }),
    );
  });

  test("groups are cut first, then permissions, then roles; a marker reports each cut", () => {
    const list = (length: number, character: string) =>
      Array.from({ length }, (_, index) => `${index}`.padStart(3, "0") + character.repeat(57));
    const claims = { groups: list(50, "g"), permissions: list(5, "p"), roles: list(3, "r"), email: "ada@example.com" };
    const { fitting } = tokenOf("oauth_access", "RS256", { ...claims, sub: "s" });
    expect(fitting).toMatchObject({ groups_truncated: true, permissions: claims.permissions, roles: claims.roles });
    const { groups } = fitting as typeof claims;
    expect(groups.length).toBeGreaterThan(25);
    expect(groups).toEqual(claims.groups.slice(0, groups.length));
    const many = { ...claims, permissions: list(60, "p") };
    const second = tokenOf("oauth_access", "ES256", { ...many, sub: "s" }).fitting as typeof claims;
    expect(second).toMatchObject({ groups: [], groups_truncated: true, permissions_truncated: true });
    expect([second.permissions.length > 20, second.roles]).toEqual([true, claims.roles]);
    expect("roles_truncated" in second).toBe(false);
  });

  test("claims that fit stay as they are", () => {
    const claims = { groups: ["a"], sub: "s" };
    expect(tokenOf("oauth_access", "EdDSA", claims).fitting).toBe(claims);
  });

  test("metadata leave an ID token before the name, and the marker is beside them", () => {
    const organization = { id: "o", public_metadata: { a: "x" }, member_public_metadata: { b: "y".repeat(6_000) } };
    const { fitting } = tokenOf("id", "RS256", { organization, name: "Ada", sub: "s" });
    expect(fitting).toEqual({
      organization: { id: "o", public_metadata: { a: "x" }, metadata_truncated: true },
      name: "Ada",
      sub: "s",
    } as never);
  });
});
