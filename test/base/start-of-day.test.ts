import { expect, test } from "bun:test";
import { startOfDay } from "../../src/base/time-zones.ts";

test.each([
  ["2026-11-29T21:32:10Z", "UTC", "2026-11-29T00:00:00.000Z"],
  ["2026-11-29T23:30:00Z", "Europe/Vienna", "2026-11-29T23:00:00.000Z"],
  ["2026-10-25T12:00:00Z", "Europe/Vienna", "2026-10-24T22:00:00.000Z"],
  ["2026-03-29T12:00:00Z", "Europe/Vienna", "2026-03-28T23:00:00.000Z"],
  ["2026-11-29T12:00:00Z", "Asia/Kathmandu", "2026-11-28T18:15:00.000Z"],
  ["2026-11-29T05:00:00Z", "America/Los_Angeles", "2026-11-28T08:00:00.000Z"],
])("The day of %s in %s begins at %s.", (at, timeZone, begin) => {
  expect(new Date(startOfDay(Date.parse(at), timeZone)).toISOString()).toBe(begin);
});
