import { expect, test } from "bun:test";
import { poolerFinding } from "../../src/commands/examine-connection.ts";

test.each([
  ["none", "none", "ok"],
  ["none", "session", "failure"],
  ["none", "transaction", "failure"],
  ["session", "none", "ok"],
  ["session", "session", "ok"],
  ["session", "transaction", "failure"],
  ["transaction", "none", "warning"],
  ["transaction", "session", "warning"],
  ["transaction", "transaction", "ok"],
] as const)("SERVICE_DATABASE_POOLER=%s with a pooler in mode %s: %s", (configured, found, level) => {
  expect(poolerFinding(configured, found)).toMatchObject({ check: "pooler", level });
});
