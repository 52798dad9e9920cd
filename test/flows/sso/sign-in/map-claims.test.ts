/** The identity in the claims of an identity provider (docs/contract.md, section 29.12), without I/O (G153). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mapClaims, signInTime } from "../../../../src/flows/sso/sign-in/map-claims.ts";
import { DEFAULT_OIDC_CONFIG, type OidcConfig } from "../../../../src/vocabulary/sso/oidc-config.ts";

function map(
  claims: Record<string, unknown>,
  config: Partial<OidcConfig> = {},
  idToken: Record<string, unknown> = claims,
) {
  const mapped = mapClaims({ ...DEFAULT_OIDC_CONFIG, ...config }, { idToken, mapped: { sub: "s", ...claims } });
  if (!mapped.ok) throw new Error(mapped.error);
  return mapped.value;
}

describe("claims", () => {
  test("give subject and address; an invalid address counts as absent.", () => {
    expect(map({ email: " Ada@Acme.COM " })).toMatchObject({ subject: "s", email: "ada@acme.com" });
    for (const email of [
      "",
      "ada",
      ["ada@acme.com", "eve@acme.com"],
      { a: 1 },
      7,
      null,
      "ada@acme.com\u0000",
      "a@b, ada@acme.com",
      "ad\uFF41@acme.com",
    ]) {
      expect([email, map({ email }).email]).toEqual([email, undefined]);
    }
  });

  test("deny the verification by every value except forms of true and absence (G394).", () => {
    const verified = (value: unknown) => map({ email_verified: value }).emailVerified;
    expect([undefined, null, "", " ", [], true, "true", "True", 1, "1"].map(verified)).toEqual(Array(10).fill(true));
    expect([false, "false", 0, "0", "no", {}, 2].map(verified)).toEqual(Array(7).fill(false));
    expect(map({}, {}, { email_verified: false }).emailVerified).toBe(false);
  });

  test("have one address by a list of one; a list of several names no mailbox (G394).", () => {
    expect(map({ email: ["ada@acme.com"] }).email).toBe("ada@acme.com");
    expect(map({ email: ["", "ada@acme.com"] }).email).toBe("ada@acme.com");
    expect(map({ email: ["ada@acme.com", "eve@acme.com"] }).email).toBeUndefined();
  });

  test("have a subject of at most 256 characters, by the claim of the mapping.", () => {
    const subject = (sub: unknown, config = {}) =>
      mapClaims({ ...DEFAULT_OIDC_CONFIG, ...config }, { idToken: {}, mapped: { sub } });
    for (const bad of [undefined, null, "", "a\nb", "a\u0000", {}, ["s"], "s".repeat(257)])
      expect(subject(bad).ok).toBe(false);
    expect(subject("s", { subject_from: "oid" }).ok).toBe(false);
    expect(subject("s", { subject_from: "toString" }).ok).toBe(false);
    expect(subject(42)).toMatchObject({ ok: true, value: { subject: "42" } });
    // Beyond the exact integers, two users of an identity provider would have one number.
    for (const inexact of [2 ** 53, 1.5, 1e21]) expect([inexact, subject(inexact).ok]).toEqual([inexact, false]);
  });

  test("give a name from one claim or from two, without control characters.", () => {
    expect(map({ name: "Ada Lovelace", given_name: "A" }).displayName).toBe("Ada Lovelace");
    expect(map({ given_name: "Ada", family_name: "Lovelace" }).displayName).toBe("Ada Lovelace");
    expect(map({ name: 7 }).displayName).toBeUndefined();
  });

  test("give groups and attributes within the bounds; groups elsewhere are incomplete (Entra ID).", () => {
    const config = {
      groups_from: "groups",
      attributes: [
        { name: "team", from: "department" },
        { name: "n", from: "level" },
      ],
    };
    const claims = { groups: ["a", 7, "b".repeat(201), "c\nd"], department: "IT", level: 3 };
    expect(map(claims, config)).toMatchObject({
      groups: ["a"],
      attributes: { team: "IT", n: "3" },
      groupsIncomplete: false,
    });
    expect(map({ groups: "solo" }, config).groups).toEqual(["solo"]);
    const many = Array.from({ length: 501 }, (_, index) => `g${index}`);
    expect(map({ groups: many }, config)).toMatchObject({ groups: many.slice(0, 500), groupsIncomplete: true });
    expect(map({ _claim_names: { groups: "src1" } }, config)).toMatchObject({ groups: [], groupsIncomplete: true });
    const wide = Array.from({ length: 16 }, (_, index) => ({ name: `a${index}`, from: "wide" }));
    const { attributes } = map({ wide: "w".repeat(500) }, { attributes: wide });
    expect(Buffer.byteLength(JSON.stringify(attributes))).toBeLessThanOrEqual(4096);
    expect(map({ department: "w".repeat(501) }, config).attributes).toEqual({});
  });

  test("give several factors only by a trusted value of acr or amr in the ID token.", () => {
    const several = (claims: object, trust: OidcConfig["mfa_trust"]) =>
      map({}, { mfa_trust: trust }, { ...claims }).isMultiFactor;
    expect(several({ amr: ["pwd", "mfa"] }, ["mfa"])).toBe(true);
    expect(several({ acr: "phr" }, ["phr"])).toBe(true);
    expect(several({ amr: ["pwd"], acr: "mfa " }, ["mfa"])).toBe(false);
    expect(several({ amr: ["mfa"] }, "never")).toBe(false);
    expect(map({ amr: ["mfa"] }, { mfa_trust: ["mfa"] }, {}).isMultiFactor).toBe(false);
  });

  test("give times with fractions of a second, at the earlier full second.", () => {
    expect(map({ session_expiry: 1_800_000_000.1234567, auth_time: 1_700_000_000.9 })).toMatchObject({
      sessionEndsAt: 1_800_000_000_000,
      authTime: 1_700_000_000_000,
    });
    const { authTime: ancient = 0 } = map({ auth_time: -1e11 });
    expect([signInTime(ancient, 7), signInTime(6, 7), signInTime(8, 7)]).toEqual([0, 6, 7]);
    for (const endless of [1e300, Number.MAX_SAFE_INTEGER]) {
      expect(new Date(map({ session_expiry: endless }).sessionEndsAt ?? 0).getTime()).not.toBeNaN();
    }
  });

  test("of every form throw nothing.", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("sub", "email", "name", "groups", "amr", "session_expiry", "_claim_names"),
          fc.anything(),
        ),
        (claims) => {
          mapClaims(
            { ...DEFAULT_OIDC_CONFIG, groups_from: "groups", mfa_trust: ["mfa"] },
            { idToken: claims, mapped: claims },
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
