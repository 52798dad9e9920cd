import { describe, expect, test } from "bun:test";
import { normalizeEmail } from "../../../src/models/user/email-address.ts";

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
