/** A clock of a process that a test sets while the process runs (libfaketime). */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "./packages.ts";

export interface FakeClock {
  /** The environment of a process with this clock. */
  readonly settings: Readonly<Record<string, string>>;
  /** Lets the wall clock jump to this distance from the time of the machine. The monotonic clock does not jump. */
  set(seconds: number): void;
  remove(): void;
}

/** The path of libfaketime. A new machine installs the library first. */
export function faketimeLibrary(): string {
  const faketime = findProgram("faketime");
  const [library] = [
    ...new Bun.Glob("lib/*/faketime/libfaketime.so.1").scanSync({ cwd: dirname(dirname(faketime)), absolute: true }),
  ];
  if (!library) throw new Error(`${faketime} has no libfaketime beside it`);
  return library;
}

/** A clock with the time of the machine. */
export function fakeClock(): FakeClock {
  const folder = mkdtempSync(join(tmpdir(), "identity-clock-"));
  const file = join(folder, "offset");
  const set = (seconds: number) => {
    // A process reads the file at any time.
    writeFileSync(`${file}.new`, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  const settings = {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return { settings, set, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
