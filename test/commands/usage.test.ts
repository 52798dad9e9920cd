import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/commands/command-line.ts";
import { findCommand, usageError } from "../../src/commands/usage.ts";
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
  "clients list",
  "clients create --name Wiki",
  "clients update 0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e --name Wiki",
  "clients rotate 0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e",
  "clients delete 0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e",
  "clients apply /nonexistent --dry-run",
  "resources apply /nonexistent --dry-run",
];

/** Returns the message about the arguments that precedes any action. */
function complaintOf(args: readonly string[]): string | undefined {
  const { command, rest } = findCommand(commandLine, args);
  return usageError(command, rest);
}

describe("wrong usage is named before anything runs:", () => {
  test.each(COMMANDS)("%s by itself is right", (command) => {
    expect(complaintOf(command.split(" "))).toBeUndefined();
  });

  test.each(COMMANDS)("an unknown option of %s", (command) => {
    expect(complaintOf([...command.split(" "), "--verbose"])).toContain("--verbose");
  });

  test.each(COMMANDS)("a surplus argument of %s", (command) => {
    expect(complaintOf([...command.split(" "), "bogus"])).toContain("'bogus'");
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
    [["clients", "apply", "--prune"], "FILE"],
    [["clients", "delete"], "CLIENT_ID"],
    [["clients"], "list, create, update, rotate, delete, apply"],
    [["keys", "list", "--json=yes"], "--json"],
    [["doctor", "--no-json"], "--no-json"],
    [["doctor", "-x"], "-x"],
    [["audit", "verify", "f", "--proof", ""], "--proof"],
    [["audit", "verify", "f", "--checkpoint="], "--checkpoint"],
    [["audit", "verify", "f", "--proof=p", "--key", "of a witness", "--key", "of the log"], "--key"],
  ])("%p", (args, named) => {
    expect(complaintOf(args)).toContain(named);
  });
});

describe("wrong usage exits 2 and does nothing:", () => {
  test("keys rotate --dry-run bogus rotates no key", async () => {
    const env = { DATABASE_URL: await freshDatabase() };
    const sql = openSql(env.DATABASE_URL);
    expect((await runService(["keys", "rotate"], env)).code).toBe(0);
    const keys = () => sql`select kid, state from signing_keys order by kid`;
    const before = [...(await keys())];
    expect((await runService(["keys", "rotate", "--dry-run", "bogus"], env)).code).toBe(2);
    expect([...(await keys())]).toEqual(before);
  });
});

test("an argument after -- may begin with a hyphen", async () => {
  const { code, output } = await runService(["admin", "grant", "--", "-a@example.test", "admin"], {
    DATABASE_URL: await freshDatabase(),
  });
  expect([code, output.includes("-a@example.test:")]).toEqual([1, true]);
});

test("usage in a pipe has no colours, with and without a command", async () => {
  for (const args of [["--help"], ["keys", "--help"], ["keys", "rotate", "bogus"]]) {
    const { output } = await runService(args, { DATABASE_URL: "postgres://localhost/unused" });
    expect(output).toContain("USAGE");
    expect(output).not.toContain("\u001b");
  }
});
