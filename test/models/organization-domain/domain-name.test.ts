/** Names of domains that an organization may claim (G143). */
import { describe, expect, test } from "bun:test";
import { domainOfAddress, validateDomain } from "../../../src/models/organization-domain/domain-name.ts";

const RULES = { blocklist: new Set(["blocked.example"]), reservedHost: "id.service.example" };
const outcomeOf = (text: string, rules: Parameters<typeof validateDomain>[1] = RULES) => {
  const valid = validateDomain(text, rules);
  return valid.ok ? valid.value : valid.error.rule;
};

describe("a domain", () => {
  test.each([
    ["Acme.COM", "acme.com"],
    [" acme.com. ", "acme.com"],
    ["bücher.de", "xn--bcher-kva.de"],
    ["BÜCHER.de", "xn--bcher-kva.de"],
    ["xn--bcher-kva.de", "xn--bcher-kva.de"],
    ["acme。com", "acme.com"],
    ["eu.acme.co.uk", "eu.acme.co.uk"],
    ["acme.github.io", "acme.github.io"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
  ])("%p is stored as %p", (text, stored) => {
    expect(outcomeOf(text)).toBe(stored);
  });

  test.each([
    "",
    ".",
    "acme..com",
    "-acme.com",
    "acme-.com",
    "acme.com..",
    "ac me.com",
    "acme.com/path",
    "acme.com:80",
    "user@acme.com",
    "https://acme.com",
    "_dmarc.acme.com",
    "acme.com\u0000",
    "xn--iñvalid.com",
    "192.0.2.1",
    "127.1",
    "0x7f.1",
    "::1",
    "[2001:db8::1]",
    `${"a".repeat(64)}.com`,
  ])("%p is not in the form of a domain", (text) => {
    expect(outcomeOf(text)).toBe("format");
  });

  test("of more than 253 characters is too long", () => {
    const labels = Array.from({ length: 4 }, () => "a".repeat(62)).join(".");
    expect(outcomeOf(`${labels}.a`)).toBe(`${labels}.a`);
    expect(outcomeOf(`${labels}.abc`)).toBe("too_long");
    expect(outcomeOf(`${"a.".repeat(10_000)}com`)).toBe("too_long");
  });

  test.each(["com", "localhost", "co.uk", "github.io", "GitHub.IO", "gmail.com", "web.de", "blocked.example"])(
    "%p is not accepted",
    (text) => {
      expect(outcomeOf(text)).toBe("not_allowed");
    },
  );

  test("of the service is accepted only from a user with a platform role", () => {
    expect(outcomeOf("id.service.example")).toBe("not_allowed");
    expect(outcomeOf("id.service.example", { ...RULES, reservedHost: undefined })).toBe("id.service.example");
  });
});

test("the domain of an address is compared in the stored form", () => {
  expect(domainOfAddress("ada@bücher.de")).toBe("xn--bcher-kva.de");
  expect(domainOfAddress("ada@eu.acme.com")).toBe("eu.acme.com");
});
