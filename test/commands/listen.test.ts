import { expect, test } from "bun:test";
import { runService } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";

test("An address that cannot be listened at names the variable and the next step, in one record (G443).", async () => {
  const DATABASE_URL = await freshDatabase();
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const problemOf = async (settings: Record<string, string>) => {
    const { code, output } = await runService(["serve"], { DATABASE_URL, ...settings });
    expect(code).toBe(1);
    const lines = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    return lines.findLast(({ level }) => level === "error")?.msg;
  };
  for (const HOST of ["nowhere.invalid", "192.0.2.1"])
    expect(await problemOf({ HOST })).toBe(
      `HOST: ${HOST} is no address of this machine: set 127.0.0.1, 0.0.0.0 or :: (all addresses)`,
    );
  expect(await problemOf({ HOST: "127.0.0.1", PORT: String(taken.port) })).toBe(
    `PORT: ${taken.port} is in use: stop the program that listens there, or set another port`,
  );
  await taken.stop(true);
});
