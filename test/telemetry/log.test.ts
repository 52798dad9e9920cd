import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { createLogger, type Logger } from "../../src/telemetry/log.ts";

const LOG_MODULE = fileURLToPath(new URL("../../src/telemetry/log.ts", import.meta.url));

async function linesOf(write: (log: Logger) => void, traceIds?: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(await createLogger({ level: "info", pretty: false, traceIds: () => traceIds, destination }));
  return lines;
}

async function logged(write: (log: Logger) => void) {
  return (await linesOf(write)).map((line) => JSON.parse(line));
}

/** Returns the standard output of a separate process, and how the process ends. */
async function printed(pretty: boolean, body: string): Promise<string> {
  const module = JSON.stringify(LOG_MODULE);
  const script = `import { createLogger } from ${module};
    const log = await createLogger({ level: "info", pretty: ${pretty}, traceIds: () => undefined });
    ${body}`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  return await new Response(child.stdout).text();
}

describe("a log that cannot be written (G81)", () => {
  const script = (body: string) => `
    import { createLogger } from ${JSON.stringify(LOG_MODULE)};
    const log = await createLogger({ level: "info", pretty: process.argv[1] === "pretty", traceIds: () => undefined });
    ${body}
    console.error("went on");`;

  test.each(["plain", "pretty"])("as on a full disk, fails nothing: %s", async (kind) => {
    const body = 'for (let line = 0; line < 100; line += 1) log.warn({ pad: "x".repeat(1_000) }, "full");';
    const command = ["sh", "-c", '"$0" -e "$1" "$2" > /dev/full', process.execPath, script(body), kind];
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toBe("went on\n");
    expect(await child.exited).toBe(0);
  });

  test("for a moment, since its reader is slow, loses no line", async () => {
    const body = 'for (let line = 0; line < 500; line += 1) log.info({ pad: "x".repeat(1_000), line }, "slow");';
    const reader = "sleep 0.3; grep -c '^{.*}$'";
    const command = ["sh", "-c", `"$0" -e "$1" plain | (${reader})`, process.execPath, script(body)];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore" });
    expect(await new Response(child.stdout).text()).toBe("500\n");
  });
});

describe("the last net (G24)", () => {
  const SECRET = "hunter2";

  test.each([
    "password",
    "newPassword",
    "access_token",
    "client_secret",
    "Authorization",
    "cookie",
    "set-cookie",
    "recovery_code",
    "email",
  ])("censors %s at any depth, in lists and in objects with a JSON form of their own", async (name) => {
    const [line] = await logged((log) =>
      log
        .child({ [name]: SECRET })
        .info({ [name]: SECRET, a: { b: { c: { [name]: SECRET } } }, list: [{ [name]: [SECRET] }] }, "x"),
    );
    expect(JSON.stringify(line)).not.toContain(SECRET);
    expect(line.a.b.c[name]).toBe("[redacted]");
    const [headers] = await logged((log) => log.info({ headers: new Headers({ cookie: SECRET, accept: "a/b" }) }));
    expect(headers.headers).toEqual({ accept: "a/b", cookie: "[redacted]" });
  });

  test("leaves the code of a refusal, and what only sounds like a secret", async () => {
    const record = { code: "rate_limited", tokens: 3, status_code: 429, password_algorithm: "argon2id" };
    const [line] = await logged((log) => log.info({ ...record, input: { code: "123456" } }));
    expect(line).toMatchObject({ ...record, input: { code: "[redacted]" } });
  });

  test("prints type, message, code and frames of an error, and no further member of a driver", async () => {
    const query = { detail: `Key (email)=(${SECRET})`, parameters: [SECRET], query: SECRET };
    const cause = Object.assign(new Error("inner"), query);
    const error = Object.assign(new TypeError("outer", { cause }), { code: "23505", ...query });
    for (const record of [{ err: error }, { failures: [error] }, { err: { parameters: [SECRET] } }]) {
      expect(JSON.stringify(await logged((log) => log.error(record, "x")))).not.toContain(SECRET);
    }
    const [line] = await logged((log) => log.error(error));
    expect(line).toMatchObject({ msg: "outer", err: { type: "TypeError", sqlstate: "23505", cause: "Error: inner" } });
    expect(line.err.stack).toMatch(/^\s+at .*log\.test\.ts/);
    const [broken] = await logged((log) => log.error({ err: Object.assign(new Error("x"), { code: "EPIPE" }) }));
    expect(broken.err.error_code).toBe("EPIPE");
  });

  test("ends what refers to itself", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(JSON.stringify(await logged((log) => log.info({ circle })))).toContain("[too deep]");
  });
});

describe("standard output", () => {
  const FORGED = "\r\n[00:00:00.000] FATAL: forged \u001b[2J\u009b31m\u2028";

  test.each([true, false])("holds every line when the process ends at once (pretty: %p)", async (pretty) => {
    const text = await printed(pretty, "for (let i = 1; i <= 500; i += 1) log.info('line ' + i); process.exit(0);");
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(500);
    expect(lines.at(-1)).toContain("line 500");
  });

  test.each([
    ["message", "log.info(forged)"],
    ["value", "log.info({ route: forged, deep: { list: [forged] } }, 'x')"],
    ["error", "log.error({ err: new Error(forged), stack: forged }, 'x')"],
  ])("for a person shows control characters of a %s instead of obeying them", async (_where, statement) => {
    const text = await printed(true, `const forged = ${JSON.stringify(FORGED)}; ${statement};`);
    expect(text).toContain("FATAL: forged");
    expect(text).not.toMatch(/^\s*\[?[0-9:.]+\]? FATAL/m);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  });
});

describe("a log line", () => {
  test("writes one JSON line with RFC 3339 time, level and trace id, for any control characters", async () => {
    const [line, ...rest] = await linesOf((log) => log.info({ route: 'a\n{"level":"fatal"}' }, "hello\r\nworld"), {
      trace_id: "t",
    });
    expect(rest).toEqual([]);
    expect(line?.trimEnd().includes("\n")).toBe(false);
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "info",
      msg: "hello\r\nworld",
      trace_id: "t",
      time: expect.stringMatching(/Z$/),
    });
  });

  test("censors secrets by name, and keeps values of a database error out (G24)", async () => {
    const error = Object.assign(new Error("duplicate key"), {
      code: "23505",
      detail: "Key (email)=(a@b.c)",
      parameters: ["a@b.c"],
    });
    const text = (
      await linesOf((log) =>
        log.error({ err: error, password: "hunter2", body: { token: "hunter2" }, headers: { cookie: "hunter2" } }, "x"),
      )
    ).join();
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("a@b.c");
    expect(JSON.parse(text).err).toMatchObject({ message: "duplicate key", sqlstate: "23505" });
  });
});
