import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { csrfTokenFits, makeCsrfToken } from "../../src/models/csrf/csrf.ts";
import { movableClock } from "../support/clock.ts";
import { scriptedRandom } from "../support/random.ts";

const key = randomBytes(32);
const random = scriptedRandom(movableClock());
const SESSION = random.uuid();

describe("a CSRF token", () => {
  test("fits the own session, repeated in the header", () => {
    const token = makeCsrfToken(key, random, SESSION);
    expect(csrfTokenFits(key, token, token, SESSION)).toBe(true);
  });

  test("fits no further session, so a planted cookie is worthless", () => {
    const token = makeCsrfToken(key, random, SESSION);
    expect(csrfTokenFits(key, token, token, random.uuid())).toBe(false);
  });

  test("fits under no other key", () => {
    const token = makeCsrfToken(randomBytes(32), random, SESSION);
    expect(csrfTokenFits(key, token, token, SESSION)).toBe(false);
  });

  test("in the header must be the one in the cookie", () => {
    const [one, other] = [makeCsrfToken(key, random, SESSION), makeCsrfToken(key, random, SESSION)];
    expect(one).not.toBe(other);
    expect(csrfTokenFits(key, one, other, SESSION)).toBe(false);
    expect(csrfTokenFits(key, null, one, SESSION)).toBe(false);
    expect(csrfTokenFits(key, one, undefined, SESSION)).toBe(false);
  });

  test.each(["", ".", "nonce", "nonce.", ".binding", "a.b.c"])("with a wrong shape (%p) is invalid", (text) => {
    expect(csrfTokenFits(key, text, text, SESSION)).toBe(false);
  });
});
