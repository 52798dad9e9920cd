import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** Runs the doctor in a folder with a file `.env`. */
function doctorIn(dotEnv: string): string {
  const folder = mkdtempSync(join(tmpdir(), "identity-dot-env-"));
  writeFileSync(join(folder, ".env"), dotEnv);
  const env = { PATH: process.env.PATH ?? "", HOME: "/nowhere", NO_COLOR: "1" };
  const { stdout } = Bun.spawnSync([process.execPath, MAIN, "doctor"], { cwd: folder, env });
  rmSync(folder, { recursive: true });
  return stdout.toString();
}

const REST = ["SERVICE_JWT_SECRET=0123456789abcdef0123456789abcdef", "SERVICE_PUBLIC_BASE_URL=http://localhost:1"];

test("A value of .env that the runtime changes is a warning by name, without the value (G443).", () => {
  const password = (text: string) => `DATABASE_URL=postgres://app:${text}@127.0.0.1:1/x`;
  const outputOf = (line: string) => doctorIn([line, ...REST].join("\n"));
  expect(outputOf(password("se$NOWHERE"))).toContain(".env: $ in the value of DATABASE_URL is replaced: write \\$");
  const quoted = outputOf(`SERVICE_BRAND_NAME='A$cme'\n${password("secret")}`);
  expect(quoted).toContain(".env: $ in the value of SERVICE_BRAND_NAME is replaced");
  const cut = outputOf(`SERVICE_BRAND_NAME=A#cme\n${password("secret")}`);
  expect(cut).toContain(".env: # ends the value of SERVICE_BRAND_NAME: put the value in quotation marks");
  for (const sound of [password("se\\$cret"), `SERVICE_BRAND_NAME="A#cme" # comment\n${password("secret")}`])
    expect(outputOf(sound)).not.toContain(".env:");
  expect(outputOf(password("se$NOWHERE"))).not.toContain("NOWHERE");
});
