/** Device names in emails and pages come from a closed set for every User-Agent (G92). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EmailKind } from "../../src/providers/mail/templates.ts";
import { DEVICE_NAMES, detectDevice } from "../../src/vocabulary/device.ts";
import { emailTemplates } from "../support/mail.ts";

const templates = emailTemplates();
/** Kinds of email that name the device of a request. */
const DEVICE_KINDS = [
  "account_secured",
  "identity_linked",
  "identity_unlinked",
  "mfa_disabled",
  "mfa_enabled",
  "new_browser",
  "passkey_added",
  "password_changed",
  "password_removed",
  "recovery_codes_renewed",
] as const satisfies readonly EmailKind[];
const CONTEXT = {
  time: "2026-01-02 03:04 UTC",
  ip_address: null,
  name: null,
  provider: "GitHub",
};

const TOKENS = ["Firefox/1", "Edg/1", "OPR/1", "Windows NT 10", "iPhone", "CrOS", "https://evil.example", "{{brand}}"];
const userAgents = fc.oneof(
  fc.string({ unit: "binary", maxLength: 512 }),
  fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string()), { maxLength: 8 }).map((parts) => parts.join(" ")),
);

describe("the device of a request", () => {
  test.each([
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/26.0 Safari/605.1", "Safari", "macOS"],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 OPR/120", "Opera", "Linux"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 EdgiOS/140 Safari/605", "Edge", "iPhone"],
    ["curl/8 https://evil.example/now", null, null],
    [null, null, null],
  ])("of %p is named", (userAgent, browser, system) => {
    expect(detectDevice(userAgent)).toEqual({ browser, system } as ReturnType<typeof detectDevice>);
  });

  test("has a name of the closed set, for every User-Agent", () => {
    fc.assert(
      fc.property(userAgents, (userAgent) => {
        const { browser, system } = detectDevice(userAgent);
        for (const name of [browser, system]) expect(name === null || DEVICE_NAMES.includes(name)).toBe(true);
      }),
    );
  });

  test("is one line of the closed set in every notice and language", () => {
    const names = DEVICE_NAMES.join("|");
    const line = {
      en: new RegExp(`^Device: (${names}|Unknown browser)( on (${names}))?$`, "m"),
      de: new RegExp(`^Gerät: (${names}|Unbekannter Browser)( auf (${names}))?$`, "m"),
    };
    fc.assert(
      fc.property(userAgents, fc.constantFrom(...DEVICE_KINDS), (userAgent, kind) => {
        for (const locale of ["en", "de"] as const) {
          const mail = templates.render(kind, locale, { ...CONTEXT, ...detectDevice(userAgent) });
          expect(mail.text).toMatch(line[locale]);
          expect(mail.text + mail.html).not.toContain("evil.example");
        }
      }),
    );
  });
});
