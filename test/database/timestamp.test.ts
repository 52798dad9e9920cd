import { expect, test } from "bun:test";
import { parseTimestamp } from "../../src/database/timestamp.ts";

test("A parsed time lies in the years that PostgreSQL stores.", () => {
  const parsed = (text: string) => parseTimestamp(text)?.toISOString();
  expect(parsed("2026-01-02T03:04:05+02:00")).toBe("2026-01-02T01:04:05.000Z");
  expect(parsed("0000-06-01T00:00:00Z")).toBe("0001-01-01T00:00:00.000Z");
  expect(parsed("9999-12-31T23:59:59-12:00")).toBe("9999-12-31T23:59:59.999Z");
  expect(parsed("2026-02-30T00:00:00Z")).toBeUndefined();
});
