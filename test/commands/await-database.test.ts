/** `migrate` beside the start of PostgreSQL. */
import { describe, expect, test } from "bun:test";
import { connect as connectTo, createServer } from "node:net";
import { freePort } from "../../db/embedded.ts";
import { inspectRoleOf, migrate } from "../../db/migrate.ts";
import { awaitDatabase } from "../../src/commands/await-database.ts";
import { DATABASE_START_ATTEMPTS } from "../../src/limits/database-limits.ts";
import { freshDatabase } from "../support/services.ts";

function failing(code: string, times: number) {
  const seen: string[] = [];
  let attempts = 0;
  const connect = async () => {
    attempts += 1;
    if (attempts <= times) throw Object.assign(new Error(`connect ${code}`), { code });
  };
  const run = () => awaitDatabase(connect, { pauseMs: 0, onWaiting: (cause) => seen.push(cause) });
  return { run, seen, attempts: () => attempts };
}

describe("migrate and a PostgreSQL that starts (G429)", () => {
  test.each(["ECONNREFUSED", "ECONNRESET", "57P03"])("%s: waits with one line until connected.", async (code) => {
    const server = failing(code, 3);
    await server.run();
    expect([server.attempts(), server.seen.length]).toEqual([4, 1]);
  });

  test("A server that does not start ends the wait with the cause and the next step.", async () => {
    const server = failing("ECONNREFUSED", Number.POSITIVE_INFINITY);
    await expect(server.run()).rejects.toThrow(/nothing listens at the address.*\n.*-> check host and port/);
    expect(server.attempts()).toBe(DATABASE_START_ATTEMPTS);
  });

  test.each(["28P01", "3D000", "ENOTFOUND"])("%s ends at once with the next step.", async (code) => {
    const server = failing(code, Number.POSITIVE_INFINITY);
    await expect(server.run()).rejects.toThrow("-> ");
    expect([server.attempts(), server.seen]).toEqual([1, []]);
  });

  test("A database whose port opens during the wait is migrated.", async () => {
    const url = new URL(await freshDatabase());
    const target = { host: url.hostname, port: Number(url.port) };
    const port = await freePort();
    url.hostname = "127.0.0.1";
    url.port = String(port);
    const forwarder = createServer((from) => {
      const to = connectTo(target);
      from.on("error", () => to.destroy());
      to.on("error", () => from.destroy());
      from.pipe(to).pipe(from);
    });
    const onWaiting = () => void forwarder.listen(port, "127.0.0.1");
    await awaitDatabase(() => inspectRoleOf(url.href), { pauseMs: 20, onWaiting });
    expect(await migrate(url.href)).toMatchObject({ applied: 0 });
    forwarder.close();
  });
});
