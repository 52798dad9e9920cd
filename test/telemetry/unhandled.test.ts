import { expect, test } from "bun:test";
import { join } from "node:path";

const TELEMETRY = join(import.meta.dir, "../../src/telemetry");

test.each([
  ["a rejection", "Promise.reject(error)"],
  ["an exception", "setTimeout(() => { throw error; })"],
])("an unhandled %s ends the process, with a line of the log without a secret", async (_, fails) => {
  const script = `
    import { createLogger } from "${TELEMETRY}/log.ts";
    import { endAtUnhandledErrors } from "${TELEMETRY}/unhandled.ts";
    endAtUnhandledErrors(await createLogger({ level: "info", pretty: false, traceIds: () => undefined }));
    const error = Object.assign(new RangeError("out of range"), { code: "23505", detail: "Key (email)=(hunter2)" });
    ${fails};
    setTimeout(() => console.log("went on"), 5_000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(await child.exited).toBe(1);
  expect(complaint).toBe("");
  const { level, msg, err } = JSON.parse(printed);
  expect([level, msg]).toEqual(["fatal", "ended by an error that nothing handled"]);
  expect(err).toMatchObject({ type: "RangeError", message: "out of range", sqlstate: "23505" });
  expect(printed).not.toContain("hunter2");
});
