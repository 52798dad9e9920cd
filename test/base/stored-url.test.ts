/** URLs from third parties: hosts by the rules of DNS, and nothing that has a meaning in a header. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  canonicalHost,
  exactUriProblem,
  normalizeExactUri,
  originOf,
  readStoredUrl,
  storedUrl,
} from "../../src/base/stored-url.ts";
import { URL_MAX_CHARACTERS } from "../../src/limits/input-limits.ts";

const problemOf = (text: string) => {
  const read = readStoredUrl(text);
  return read.ok ? undefined : read.error;
};

describe("a stored URL", () => {
  test.each([
    ["https://app.example.com/logo.png?x=1,2;3#a", "https://app.example.com/logo.png?x=1,2;3#a"],
    ["  HTTPS://App.Example.COM/Path  ", "https://app.example.com/Path"],
    ["https://app.example.com:443", "https://app.example.com"],
    ["http://app.example.com:0080/", "http://app.example.com/"],
    ["https://bücher.example/für?a=ä", "https://xn--bcher-kva.example/f%C3%BCr?a=%C3%A4"],
    ["https://ＥＸＡＭＰＬＥ.com/", "https://example.com/"],
    ["https://my_app.internal:8443/a b", "https://my_app.internal:8443/a%20b"],
    ["http://localhost:3000/x", "http://localhost:3000/x"],
    ["https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443/"],
    ["https://0x7f.1/", "https://127.0.0.1/"],
  ])("%s is kept as %s", (text, stored) => expect(storedUrl(text) as string | undefined).toBe(stored));

  test.each([
    "https://x;frame-ancestors/logo.png",
    "https://x;script-src'unsafe-inline'/",
    "https://x$'y/",
    "https://x$&y/",
    "https://a,b/",
    "https://*.example.com/",
    "https://*/",
    "https://example.com./",
    "https://example.com。/",
    "https://127.0.0.1./",
    "https://example..com/",
    "https://-a.example/",
    "https://a-.example/",
    `https://${"a".repeat(64)}.example/`,
    `https://${"a.".repeat(126)}aa.example/`,
    "https://ex%61mple.com/",
    'https://a"b/',
    "https://a(b)/",
    "https://1.2.3.4.5/",
    "https://[::1%25eth0]/",
    "https://example.com:99999/",
    "https://example.com:/",
    "https:///x",
    "https://xn--a/",
  ])("%p names no host", (text) => expect(problemOf(text)).toBe("host"));

  test.each(["https://accounts.google.com@evil.test/", "https://user:secret@app.example.com/", "https://@app.test/"])(
    "%s contains user information",
    (text) => expect(problemOf(text)).toBe("user_information"),
  );

  test.each([
    "javascript:alert(1)",
    "mailto:a@b.c",
    "data:text/html,x",
    "ftp://a.test/",
    "https:a.test",
    "https:/a.test",
  ])("%s is no http(s) URL", (text) => expect(problemOf(text)).toBe("not_http"));

  test.each([
    "",
    "app.example.com",
    "//app.example.com/",
    "https://app.example.com\\@evil.test/",
    "https:\\\\evil.test/",
    "https://app.exa\tmple.com/",
    "https://app.example.com/\r\nSet-Cookie: a=b",
    "https://app.example.com/\0",
    "https://app.example.com/\u202Egnp.logo",
    "https://app.example.com/\u200B",
    "https://app.example.com/\uD800",
  ])("%p is not accepted", (text) => expect(problemOf(text)).toBe("not_absolute"));

  test("has a bound, also after escaping", () => {
    expect(problemOf(`https://a.test/${"x".repeat(URL_MAX_CHARACTERS)}`)).toBe("too_long");
    expect(problemOf(`https://a.test/${"ä".repeat(URL_MAX_CHARACTERS / 3)}`)).toBe("too_long");
  });

  test("keeps its form at a second reading, and its origin is one source of a policy", () => {
    const part = fc.string({ unit: fc.constantFrom(..."ab1.-_;'$&*, @:[]%/?#\\\t\u202E\u0000üß。") });
    fc.assert(
      fc.property(part, part, fc.constantFrom("https://", "http://", "HTTPS://", "https:"), (host, rest, scheme) => {
        const url = storedUrl(`${scheme}${host}${rest}`);
        if (url === undefined) return;
        expect(storedUrl(url)).toBe(url);
        const { username, password, hostname } = new URL(url);
        expect([username, password, canonicalHost(hostname)]).toEqual(["", "", hostname]);
        expect(originOf(url)).toMatch(/^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("a URI that peers compare to the letter", () => {
  test.each([
    "https://App.Example.com/Callback",
    "http://127.0.0.1:8080/cb",
    "com.example.app:/callback",
    "com.example.app://callback",
    "urn:example:api",
    "api://stock-service",
  ])("%s stays as given", (uri) => {
    expect(exactUriProblem(uri)).toBeUndefined();
    expect(normalizeExactUri(` ${uri} `)).toBe(uri);
  });

  test.each([
    "https://x;frame-ancestors/cb",
    "https://app.example.com./cb",
    "https://0x7f.1/cb",
    "com.example.app://x;y/cb",
    "https:app.example.com/cb",
  ])("%s names no host", (uri) => expect(exactUriProblem(uri)).toBe("host"));

  test("an internationalized host is stored in ASCII form", () => {
    expect(normalizeExactUri("https://bücher.example/cb")).toBe("https://xn--bcher-kva.example/cb");
    expect(exactUriProblem("https://bücher.example/cb")).toBe("not_absolute");
  });
});
