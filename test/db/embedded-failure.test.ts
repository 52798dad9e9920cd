/** The first line after a failed start of the embedded PostgreSQL: the cause and the next step. */
import { expect, test } from "bun:test";
import { startFailure } from "../../db/embedded-failure.ts";

const firstLine = (output: string) => startFailure("cannot create its cluster", output, "/data").message.split("\n")[0];

test.each([
  [
    'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 1048576 bytes: No space left on device',
    "/dev/shm is too small (/data): give the container more shared memory (--shm-size=256m):",
  ],
  [
    'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
    "the disk is full (/data): free space for the data directory:",
  ],
  [
    'FATAL:  could not open file "global/pg_control": No such file or directory',
    "files of the data directory are damaged or missing (/data): restore the data directory from a backup",
  ],
])("%s is named with its next step (G399).", (output, expected) => {
  expect(firstLine(output)).toContain(`PostgreSQL cannot create its cluster: ${expected}`);
});
