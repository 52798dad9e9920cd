import { beforeAll, describe, expect, test } from "bun:test";
import { runService } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

/** Every command with valid arguments. A command that is missing here has no test. */
const COMMANDS = [
  "serve",
  "migrate",
  "doctor",
  "admin grant a@example.test admin",
  "admin revoke a@example.test admin",
  "users import /nonexistent",
  "audit verify /nonexistent",
  "config rotate",
  "keys list",
  "keys rotate",
];

let env: Record<string, string>;
beforeAll(async () => {
  env = { DATABASE_URL: await freshDatabase() };
});

describe("wrong usage exits 2, names what is wrong and does nothing:", () => {
  test.each(COMMANDS)("an unknown option of %s", async (command) => {
    const { code, output } = await runService([...command.split(" "), "--dry-run"], env);
    expect([code, output.includes("--dry-run")]).toEqual([2, true]);
  });

  test.each(COMMANDS)("a surplus argument of %s", async (command) => {
    const { code, output } = await runService([...command.split(" "), "bogus"], env);
    expect([code, output.includes("'bogus'")]).toEqual([2, true]);
  });

  test.each([
    [["nonsense"], "nonsense"],
    [["keys", "nonsense"], "nonsense"],
    [["keys"], "list, rotate"],
    [["--verbose", "keys", "rotate"], "--verbose"],
    [["--version", "bogus"], "--version"],
    [["constructor"], "constructor"],
    [["admin", "grant"], "EMAIL"],
    [["admin", "grant", "a@example.test"], "ROLE"],
    [["users", "import", "--restart"], "FILE"],
    [["keys", "list", "--json=yes"], "--json"],
    [["doctor", "--no-json"], "--no-json"],
    [["doctor", "-x"], "-x"],
  ])("%p", async (args, named) => {
    const { code, output } = await runService(args, env);
    expect([code, output.includes(named)]).toEqual([2, true]);
  });

  test("keys rotate --dry-run bogus rotates no key", async () => {
    const sql = openSql(String(env.DATABASE_URL));
    expect((await runService(["keys", "rotate"], env)).code).toBe(0);
    const keys = () => sql`select kid, state from signing_keys order by kid`;
    const before = [...(await keys())];
    expect((await runService(["keys", "rotate", "--dry-run", "bogus"], env)).code).toBe(2);
    expect([...(await keys())]).toEqual(before);
  });
});

test("an argument after -- may begin with a hyphen", async () => {
  const { code, output } = await runService(["admin", "grant", "--", "-a@example.test", "admin"], env);
  expect([code, output.includes("-a@example.test:")]).toEqual([1, true]);
});
