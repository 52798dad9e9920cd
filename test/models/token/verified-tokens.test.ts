import { expect, test } from "bun:test";
import { VERIFIED_TOKENS_MAX, VERIFIED_TOKENS_SWEEP_SECONDS } from "../../../src/limits/limits.ts";
import { VerifiedTokens } from "../../../src/models/token/verified-tokens.ts";

const LIFETIME_SECONDS = 900;

test("Tokens leave memory within a minute after expiry while further tokens are verified; live tokens stay.", () => {
  const tokens = new VerifiedTokens();
  const day = 86_400;
  const kept: number[] = [];
  for (let now = 0; now < day; now += 1) {
    tokens.set(`token ${now}`, { exp: now + LIFETIME_SECONDS }, now);
    kept.push(tokens.size);
  }
  expect(Math.max(...kept)).toBeLessThanOrEqual(LIFETIME_SECONDS + VERIFIED_TOKENS_SWEEP_SECONDS);
  for (let at = day - LIFETIME_SECONDS + 1; at < day; at += 1) expect(tokens.get(`token ${at}`)).toBeDefined();
});

test("A flood of tokens stays within the bound.", () => {
  const tokens = new VerifiedTokens();
  for (let index = 0; index < 2 * VERIFIED_TOKENS_MAX; index += 1)
    tokens.set(`token ${index}`, { exp: LIFETIME_SECONDS }, 0);
  expect(tokens.size).toBe(VERIFIED_TOKENS_MAX);
});
