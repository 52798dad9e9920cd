/** The rules by the provenance of a client (docs/contract.md, section 23.32). */
import { describe, expect, test } from "bun:test";
import { asksEachTime, PROVENANCE_RULES, provenanceOf } from "../../src/models/oauth-client/provenance.ts";

describe("the rules by provenance", () => {
  test("nobody vouches for a client that no administrator registered: every rule is the strict rule", () => {
    for (const provenance of ["document", "dynamic"] as const) {
      const { isWarned, leavesBy, mayBeFirstParty, silentConsent, identitySettings } = PROVENANCE_RULES[provenance];
      expect([provenance, isWarned, leavesBy, mayBeFirstParty, silentConsent]).toEqual([
        provenance,
        true,
        "page",
        false,
        "https",
      ]);
      const { keysByAddressMax, loading, storedMaxBytes, whenFull } = PROVENANCE_RULES[provenance];
      expect([keysByAddressMax, loading, whenFull]).toEqual([8, "by_id", "replaces_unused"]);
      expect(storedMaxBytes).toBeLessThanOrEqual(10 * 1024);
      expect(identitySettings).toEqual(
        expect.arrayContaining(["name", "logoUrl", "redirectUris", "tokenAuthMethod", "keys"]),
      );
    }
  });

  test.each([
    ["registered", "administrator"],
    ["document", "document"],
    ["dynamic", "dynamic"],
  ] as const)("a row of the kind %s has the provenance %s", (kind, provenance) => {
    expect(provenanceOf({ kind })).toBe(provenance);
  });

  const uris = ["https://app.example.com/cb", "http://127.0.0.1:9/cb", "http://localhost/cb", "com.example.app:/cb"];
  test.each([
    ["registered", "web", [false, false, false, false]],
    ["registered", "native", [false, true, true, true]],
    ["document", "web", [false, true, true, true]],
    ["document", "native", [false, true, true, true]],
    ["dynamic", "web", [false, true, true, true]],
    ["dynamic", "native", [false, true, true, true]],
  ] as const)("%s, %s: the user is asked each time about the URIs that any program can receive", (kind, type, asks) => {
    expect(uris.map((uri) => asksEachTime({ kind, applicationType: type }, uri))).toEqual([...asks]);
  });
});
