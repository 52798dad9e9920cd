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

/** Connections for the writes of several organizations at once. */
const CONNECTIONS = 40;

/** Writes with a journal of admissions. */
function journal(connections = CONNECTIONS) {
  const writes = programWrites(systemClock, connections);
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

  test("of all programs leave a quarter of the connections, and the organizations take turns", async () => {
    const { write, admitted } = journal(8);
    const of = (organizationId: string) => () => write({ serviceAccountId: organizationId, organizationId });
    const running = await Promise.all([...Array.from({ length: 4 }, of("acme")), of("beta")(), of("beta")()]);
    const waiting = [of("beta")(), of("beta")(), of("gamma")(), write(PLATFORM)];
    await Promise.resolve();
    expect(admitted).toHaveLength(6);
    for (const release of running) release();
    for (const release of await Promise.all(waiting)) release();
    expect(admitted.slice(6)).toEqual(["beta", "gamma", "robot", "beta"]);
    await write(PLATFORM);
    expect(admitted.at(-1)).toBe("robot");
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
