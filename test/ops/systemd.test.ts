import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VARIABLES } from "../../src/config/variables.ts";
import { installDebianPackages } from "../support/packages.ts";
import { kubernetes, type Manifest, OPS, ROOT } from "./kit.ts";

const unit = readFileSync(join(OPS, "systemd/identity-service.service"), "utf8");
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value ?? "");

function analyze(...args: readonly string[]): { readonly code: number; readonly output: string } {
  if (!Bun.which("systemd-analyze")) installDebianPackages("systemd");
  const { exitCode, stdout, stderr } = Bun.spawnSync(["systemd-analyze", ...args]);
  return { code: exitCode, output: `${stdout}${stderr}` };
}

describe("the unit of systemd (G445)", () => {
  test("is valid, and confines the service, by systemd itself", () => {
    const folder = mkdtempSync(join(tmpdir(), "identity-unit-"));
    const file = join(folder, "identity-service.service");
    writeFileSync(
      file,
      unit.replaceAll("/opt/identity-service", () => ROOT.replace(/\/$/, () => "")),
    );
    const verified = analyze("verify", "--man=no", file);
    expect(verified.output.split("\n").filter((line) => line.includes("identity-service"))).toEqual([]);
    expect(verified.code).toBe(0);
    // The exposure, 0 to 10: below 2 is "OK" of systemd.
    expect(analyze("security", "--offline=yes", "--threshold=20", file).code).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test("names known variables, and stops no drain", () => {
    const names = valuesOf("Environment").map((value) => value.split("=")[0] ?? "");
    for (const name of names) expect([name, name.replace(/_FILE$/, () => "") in VARIABLES]).toEqual([name, true]);
    expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThanOrEqual(55);
    expect(valuesOf("LoadCredential")).toHaveLength(3);
  });
});

test("The network policy lets HTTPS and every usual port of SMTP out to public addresses alone (G445).", () => {
  const policy: Manifest = kubernetes().get("NetworkPolicy");
  const toInternet = policy.spec.egress.filter((rule: Manifest) => rule.to[0].ipBlock?.cidr === "0.0.0.0/0");
  expect(toInternet).toHaveLength(1);
  expect(toInternet[0].ports.map(({ port }: { port: number }) => port)).toEqual([443, 25, 465, 587, 2525]);
  expect(toInternet[0].to[0].ipBlock.except).toContain("169.254.0.0/16");
});
