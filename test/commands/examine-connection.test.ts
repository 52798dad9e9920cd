import { expect, test } from "bun:test";
import { poolerFinding, serverFinding } from "../../src/commands/examine-connection.ts";

test("a PostgreSQL without xid8 is a failure by name; a merely old PostgreSQL is a warning", () => {
  expect(serverFinding({ version: "12.22", hasXid8: false })).toMatchObject({
    level: "failure",
    detail: "12.22 has no type xid8",
  });
  expect(serverFinding({ version: "14.1", hasXid8: true }).level).toBe("warning");
  expect(serverFinding({ version: "15.3", hasXid8: true }).level).toBe("ok");
});

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
