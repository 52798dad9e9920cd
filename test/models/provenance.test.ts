/** The rules by the provenance of a client (docs/contract.md, section 23.32). */
import { describe, expect, test } from "bun:test";
import { asksEachTime, PROVENANCE_RULES, provenanceOf } from "../../src/models/oauth-client/provenance.ts";
import { isRegisteredUri } from "../../src/models/oauth-client/redirect-uri.ts";

describe("the rules by provenance", () => {
  test("nobody vouches for a client that no administrator registered: every rule is the strict rule", () => {
    for (const provenance of ["document", "dynamic"] as const) {
      const { warning, leavesBy, mayBeFirstParty, silentConsent, identitySettings } = PROVENANCE_RULES[provenance];
      expect([provenance, warning !== null, leavesBy, mayBeFirstParty, silentConsent]).toEqual([
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

  const localhost = ["http://localhost/cb", "http://localhost:3000/other"];
  test.each([
    ["registered", "web", false],
    ["registered", "native", true],
    ["dynamic", "web", true],
    ["document", "web", true],
  ] as const)("%s, %s: another port of localhost is registered: %p", (kind, applicationType, expected) => {
    const client = { kind, applicationType };
    expect(isRegisteredUri("http://localhost:51234/cb", localhost, client)).toBe(expected);
    for (const uri of ["http://localhost:51234/", "http://127.0.0.1:51234/cb", "http://localhost.example.com:1/cb"]) {
      expect([uri, isRegisteredUri(uri, localhost, client)]).toEqual([uri, false]);
    }
  });
});
