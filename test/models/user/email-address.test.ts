import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { emailFlaw, normalizeAssertedEmail, normalizeEmail } from "../../../src/models/user/email-address.ts";

describe("email addresses", () => {
  test.each([
    [" Ada@Example.COM ", "ada@example.com"],
    ["ａｄａ@example.com", "ada@example.com"],
    ["o'neil+tag@sub.example.co", "o'neil+tag@sub.example.co"],
    ["jörg@müller.example", "jörg@xn--mller-kva.example"],
    ["l@BÜCHER.example", "l@xn--bcher-kva.example"],
    ["l@xn--bcher-kva.example", "l@xn--bcher-kva.example"],
    ["l@日本.example", "l@xn--wgv71a.example"],
    ["l@faß.example", "l@xn--fa-hia.example"],
    ["a@localhost", "a@localhost"],
    // Addresses of mobile carriers (docomo, au).
    ["Taro..Y@docomo.ne.jp", "taro..y@docomo.ne.jp"],
    ["taro.@docomo.ne.jp", "taro.@docomo.ne.jp"],
    ["a...@docomo.ne.jp", "a...@docomo.ne.jp"],
    // As copied from a contact card, a page or a document.
    ["\u202aada@example.com\u202c", "ada@example.com"],
    ["\ufeff ada@example.com\u200b\n", "ada@example.com"],
    ["ada@example.com\u00ad", "ada@example.com"],
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
    ".@b.c",
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
    "a\u2800@b.c",
    "a\u3164@b.c",
    "a\u115f@b.c",
    "\ud800@b.c",
    `a@${"ü".repeat(63)}.c`,
    "a@bücher.127.1",
    `${"a".repeat(65)}@b.c`,
    `a@${"b.".repeat(130)}c`,
  ])("%p is none", (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });
});

describe("an invisible character within an address is refused by its name (G428)", () => {
  test.each([
    ["a\u200bb@example.com", "U+200B"],
    ["ab@exam\u00adple.com", "U+00AD"],
    ["a\u2800@example.com", "U+2800"],
    ["a\u3164b@example.com", "U+3164"],
    ["\u200ea\u{e0041}b@example.com", "U+E0041"],
    ["a\u00a0b@example.com", "U+00A0"],
    ["a\u0000b@example.com", "U+0000"],
  ])("%p", (text, point) => {
    expect([normalizeEmail(text), emailFlaw(text)]).toEqual([
      undefined,
      { rule: "format", text: `contains an invisible character (${point})` },
    ]);
  });

  test.each(["", "a", "a b@example.com", "a@@b", "\u200b"])("%p has no invisible character within", (text) => {
    expect(emailFlaw(text).text).toBe("not an email address");
  });

  test("Long white space takes no longer than its characters.", () => {
    const text = `a${" \u200b".repeat(200_000)}b`;
    expect(normalizeEmail(text)).toBeUndefined();
  });
});

describe("asserted addresses (G304)", () => {
  test.each([
    [" Ada@Example.COM ", "ada@example.com"],
    ["l@bücher.example", "l@xn--bcher-kva.example"],
    ["L@XN--BCHER-KVA.example", "l@xn--bcher-kva.example"],
    ["jörg@example.com", "jörg@example.com"],
    ["Taro..Y.@docomo.ne.jp", "taro..y.@docomo.ne.jp"],
  ])("%p counts as %p", (text, stored) => {
    expect(normalizeAssertedEmail(text)).toBe(stored);
  });

  test.each([
    "\u017Fteve@example.com",
    "ｓteve@example.com",
    "of\uFB01ce@example.com",
    "\u212Aim@example.com",
    "steve@ｅxample.com",
    "steve@\u212Aey.example",
    "steve@b\u00FCcher\uFE00.example",
    "JÖRG@example.com",
  ])("%p counts as no address", (text) => {
    expect(normalizeEmail(text)).toBeDefined();
    expect(normalizeAssertedEmail(text)).toBeUndefined();
  });

  test("No two asserted texts that differ beyond ASCII case and the encoding of the domain are one address.", () => {
    const characters = fc.constantFrom(..."aKkSs\u017F\u212A\uFB01\uFF41üÜ");
    const locals = fc.string({ unit: characters, minLength: 1, maxLength: 4 });
    const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    fc.assert(
      fc.property(locals, locals, (left, right) => {
        const [one, other] = [left, right].map((local) => normalizeAssertedEmail(`${local}@example.com`));
        expect(one === undefined || one !== other || folded(left) === folded(right)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
