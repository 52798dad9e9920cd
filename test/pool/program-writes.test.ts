import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import {
  ORGANIZATION_WRITES_MAX,
  PLATFORM_WRITES_MAX,
  WAITING_WRITES_MAX,
} from "../../src/limits/management-limits.ts";
import { programWrites, type WritingProgram } from "../../src/pool/program-writes.ts";

const first = { serviceAccountId: "first", organizationId: "acme" };
const second = { serviceAccountId: "second", organizationId: "acme" };
const PLATFORM = { serviceAccountId: "robot", organizationId: null };

/** Writes with a journal of admissions. */
function journal() {
  const writes = programWrites(systemClock);
  const admitted: string[] = [];
  const write = (program: WritingProgram) =>
    writes.acquire(program).then((release) => {
      admitted.push(release ? program.serviceAccountId : "refused");
      return release ?? (() => undefined);
    });
  return { write, admitted };
}

describe("writes of programs (G520)", () => {
  test("wait for a turn of the organization, and the programs take turns", async () => {
    const { write, admitted } = journal();
    const running = await Promise.all(Array.from({ length: ORGANIZATION_WRITES_MAX }, () => write(first)));
    const waiting = [first, first, second].map(write);
    await write({ serviceAccountId: "elsewhere", organizationId: "beta" });
    expect(admitted.slice(ORGANIZATION_WRITES_MAX)).toEqual(["elsewhere"]);
    for (const release of running) release();
    const later = await Promise.all(waiting);
    expect(admitted.slice(ORGANIZATION_WRITES_MAX)).toEqual(["elsewhere", "first", "second", "first"]);
    for (const release of later) release();
    await write(first);
    expect(admitted).toHaveLength(ORGANIZATION_WRITES_MAX + 5);
  });

  test("end the wait after a second, and at once beyond the bound of waiting writes", async () => {
    const { write, admitted } = journal();
    await Promise.all(Array.from({ length: PLATFORM_WRITES_MAX }, () => write(PLATFORM)));
    const waiting = Array.from({ length: WAITING_WRITES_MAX }, () => write(PLATFORM));
    await write(PLATFORM);
    expect(admitted.slice(PLATFORM_WRITES_MAX)).toEqual(["refused"]);
    await Promise.all(waiting);
    expect(admitted.slice(PLATFORM_WRITES_MAX)).toEqual(Array(WAITING_WRITES_MAX + 1).fill("refused"));
  });
});
