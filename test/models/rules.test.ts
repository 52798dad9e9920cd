import { describe, expect, test } from "bun:test";
import { normalizeName } from "../../src/base/display-name.ts";
import { isSlug, slugCandidate, suggestSlug } from "../../src/models/organization/slug.ts";
import { needsRehash, normalizePassword, passwordFlaw } from "../../src/models/password/password.ts";
import { classifyRefresh, type Family } from "../../src/models/session/rotation.ts";
import type { Session } from "../../src/models/session/session.ts";
import { normalizeEmail } from "../../src/models/user/email-address.ts";

describe("e-mail addresses", () => {
  test.each([
    [" Ada@Example.COM ", "ada@example.com"],
    ["ａｄａ@example.com", "ada@example.com"],
    ["o'neil+tag@sub.example.co", "o'neil+tag@sub.example.co"],
    ["jörg@müller.example", "jörg@müller.example"],
    ["a@localhost", "a@localhost"],
  ])("%p is stored as %p", (text, stored) => {
    expect(normalizeEmail(text)).toBe(stored);
  });

  test.each([
    "",
    "a",
    "a@",
    "@b",
    "a@b@c",
    "a b@c.d",
    "a@b..c",
    ".a@b.c",
    "a..b@c.d",
    "a@-b.c",
    "a@b.c\r\nBcc: d@e.f",
    "a\u0000@b.c",
    "a＠b.c",
    "a﹫b.c",
    "<a@b.c>",
    '"a"@b.c',
    "a,b@c.d",
    "a@[127.0.0.1]",
    "a\u200b@b.c",
    "a\u202e@b.c",
    "\ud800@b.c",
    `${"a".repeat(65)}@b.c`,
    `a@${"b.".repeat(130)}c`,
  ])("%p is none", (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });
});

describe("passwords", () => {
  test("are one in two spellings of Unicode", () => {
    expect(normalizePassword("Å")).toBe(normalizePassword("A\u030a"));
  });

  test("count code points after NFKC, 12 to 256, any character", () => {
    expect(passwordFlaw("🔐".repeat(12))).toBeUndefined();
    expect(passwordFlaw("🔐".repeat(11))).toBeString();
    expect(passwordFlaw("🔐".repeat(257))).toBeString();
    expect(passwordFlaw(" \t\n".repeat(4))).toBeUndefined();
  });

  test("are hashed anew when the stored cost or algorithm is another", () => {
    const cost = { memoryKib: 19_456, time: 2, parallelism: 1 };
    expect(needsRehash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", cost)).toBe(false);
    expect(needsRehash("$argon2id$v=19$m=19456,t=3,p=1$c2FsdA$aGFzaA", cost)).toBe(true);
    expect(needsRehash("$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", cost)).toBe(true);
    expect(needsRehash("$2b$12$abc", cost)).toBe(true);
  });
});

describe("slugs", () => {
  test.each([
    ["Łódź & Söhne GmbH", "lodz-sohne-gmbh"],
    ["  --Acme--  ", "acme"],
    ["🦊", "organization"],
    ["A", "a-organization"],
    ["株式会社", "zhu-shi-hui-she"],
  ])("%p suggests %p", (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });

  test("are always valid, with every suffix, whatever the name", () => {
    const names = ["x".repeat(120), "-".repeat(120), "é".repeat(119), "a b".repeat(40), "ß", "1", "‮"];
    for (const name of names) {
      for (let attempt = 0; attempt < 12; attempt += 1) {
        expect(isSlug(slugCandidate(suggestSlug(name), attempt, 4_294_967_295))).toBe(true);
      }
    }
  });
});

describe("names", () => {
  test("are trimmed, 1 to 120 characters, printable", () => {
    expect(normalizeName(" Ada ")).toBe("Ada");
    expect(normalizeName("👩‍💻")).toBe("👩‍💻");
    for (const bad of ["", "  ", "x".repeat(121), "a\nb", "a\u0000", "\u2028", "\ud800"])
      expect(normalizeName(bad)).toBeUndefined();
  });
});

describe("a refresh token that was not rotated", () => {
  const at = 1_000_000;
  const session = { refreshJti: "now", rotatedAt: at - 5_000, expiresAt: at + 60_000 } as Session;
  const family: Family = { session, previousRefreshJti: "before", ended: false };

  test.each([
    ["the one before, within ten seconds", family, "before", "repeated"],
    ["the one before, later", { ...family, session: { ...session, rotatedAt: at - 10_001 } }, "before", "reused"],
    ["an older one", family, "older", "reused"],
    ["of an ended family", { ...family, ended: true }, "before", "ended"],
    ["of an expired family", { ...family, session: { ...session, expiresAt: at } }, "older", "ended"],
    ["of no family", undefined, "before", "ended"],
    ["the current one, which a racing request just revoked", family, "now", "ended"],
  ] as const)("%s is %p", (_, found, jti, verdict) => {
    expect(classifyRefresh(found, jti, at)).toBe(verdict);
  });
});
