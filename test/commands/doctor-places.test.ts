/** `doctor` with each failure of a folder, a disk, a clock and a certificate: the cause, and the next step (G446). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faketimeLibrary } from "../support/fake-clock.ts";
import { runService } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";
import { mayMountSmallDisk, mountSmallDisk } from "../support/small-disk.ts";

/** A new machine installs libfaketime first. */
const INSTALL_DEADLINE_MS = 300_000;

let databaseUrl: string;
let folder: string;
beforeAll(async () => {
  databaseUrl = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), "identity-places-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function doctorOf(check: string, env: Record<string, string>) {
  const { code, output } = await runService(["doctor", "--json"], { DATABASE_URL: databaseUrl, ...env });
  const found = JSON.parse(output).checks.find((each: { check: string }) => each.check === check);
  return { code, ...found };
}

/** No database is configured, and no secret. */
const EMBEDDED = { DATABASE_URL: "", SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "", NODE_ENV: "development" };
/** Space for the secrets, and none for a cluster. */
const FREE_FOR_SECRETS_MIB = 4;

const [SPOOL, CHECKPOINTS] = ["SERVICE_SPOOL_DIRECTORY", "SERVICE_AUDIT_CHECKPOINT_DIR"];

test("Writable folders are reported, and doctor leaves no file behind.", async () => {
  expect(await doctorOf(SPOOL, { [SPOOL]: folder })).toMatchObject({ code: 0, level: "ok", detail: "writable" });
  expect(await doctorOf(CHECKPOINTS, { [CHECKPOINTS]: folder })).toMatchObject({ code: 0, level: "ok" });
  expect(readdirSync(folder)).toEqual([]);
});

test("A missing folder, a file in its place, and a folder that takes no file are failures by name.", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const causes = { [join(folder, "missing")]: "does not exist", [file]: "is not a folder", "/proc": "" };
  for (const [path, cause] of Object.entries(causes)) {
    const { code, level, detail, remedy } = await doctorOf(SPOOL, { [SPOOL]: path });
    expect([code, level]).toEqual([1, "failure"]);
    expect(detail).toContain(cause);
    expect(detail).toEndWith("exports of the audit log fail");
    expect(remedy).not.toBe("");
  }
  rmSync(file);
});

test("A folder of another user is a failure with the next step.", async () => {
  const closed = mkdtempSync(join(folder, "closed-"));
  chmodSync(closed, 0o500);
  const { code, level, detail } = await doctorOf(SPOOL, { [SPOOL]: closed });
  // Root may write to every folder.
  if (process.getuid?.() === 0) expect([code, level]).toEqual([0, "ok"]);
  else
    expect([code, level, detail]).toEqual([
      1,
      "failure",
      "is not writable for this user: exports of the audit log fail",
    ]);
});

test("A disk with little space is a warning, a full disk a failure.", async () => {
  if (!mayMountSmallDisk()) return;
  const disk = mountSmallDisk(8);
  try {
    const little = await doctorOf(SPOOL, { [SPOOL]: disk.directory });
    expect(little).toMatchObject({ code: 0, level: "warning", remedy: "free space" });
    expect(little.detail).toMatch(/^\d MiB are free: /);
    disk.fill();
    const full = await doctorOf(CHECKPOINTS, { [CHECKPOINTS]: disk.directory });
    const detail = "is on a full disk: no checkpoint is written";
    expect(full).toMatchObject({ code: 1, level: "failure", detail, remedy: "free space" });
  } finally {
    disk.remove();
  }
});

test("A start names an unusable data directory in one line, with the next step (G447).", async () => {
  const file = join(folder, "data");
  writeFileSync(file, "");
  for (const [directory, cause] of [
    [file, "is not a folder: name a folder"],
    ["/proc/x", "does not exist and cannot be created: create the folder, or name another one"],
  ] as const) {
    const { code, output } = await runService(["serve"], { ...EMBEDDED, SERVICE_DATA_DIRECTORY: directory });
    expect([code, output.trim()]).toEqual([1, expect.stringContaining(`${directory} ${cause}`)]);
    expect(output.trim().split("\n")).toHaveLength(1);
  }
  rmSync(file);
});

test("A first start on a full disk says that the disk is full, and a start with space succeeds (G447).", async () => {
  if (!mayMountSmallDisk()) return;
  const disk = mountSmallDisk(200);
  const settings = { ...EMBEDDED, SERVICE_DATA_DIRECTORY: join(disk.directory, "data") };
  try {
    mkdirSync(settings.SERVICE_DATA_DIRECTORY);
    disk.fill();
    const empty = await runService(["doctor"], settings);
    expect([empty.code, empty.output]).toEqual([1, expect.stringContaining("is on a full disk: free space")]);
    disk.free();
    disk.fill(FREE_FOR_SECRETS_MIB);
    const little = await runService(["doctor"], settings);
    expect([little.code, little.output]).toEqual([1, expect.stringContaining("the disk is full")]);
    disk.free();
    expect((await runService(["migrate"], settings)).code).toBe(0);
  } finally {
    disk.remove();
  }
});

test(
  "A clock that differs from PostgreSQL's by more than the accepted five seconds is a failure with its size.",
  async () => {
    expect(await doctorOf("clock", {})).toMatchObject({ code: 0, level: "ok" });
    const library = faketimeLibrary();
    for (const [offset, words] of [
      ["+600s", "ahead of"],
      ["-600s", "behind"],
    ] as const) {
      const shifted = { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
      const { code, level, detail, remedy } = await doctorOf("clock", shifted);
      expect([code, level]).toEqual([1, "failure"]);
      expect(detail).toMatch(/^(?:599|600|601) s /);
      expect(detail).toContain(words);
      expect(remedy).toContain("NTP");
    }
  },
  INSTALL_DEADLINE_MS,
);
