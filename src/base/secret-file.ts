/** A secret that is created once and kept in a file. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Reads the secret, or creates the file with `make()`. The file exists either completely or not at all, also after a
 * full disk or a loss of power: keys derived from an empty file would be known to everyone. Throws for a file with less
 * than `minBytes`.
 */
export function readOrMakeSecret(file: string, minBytes: number, make: () => string): string {
  if (!existsSync(file)) writeWhole(file, make());
  const secret = readFileSync(file, "utf8").trim();
  if (Buffer.byteLength(secret) >= minBytes) return secret;
  throw new Error(`${file} holds no secret of ${minBytes} bytes: restore it; without it, delete it, and sessions end`);
}

/** Another process may be first; then the file of the first process stays. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    const fd = openSync(draft, "w", 0o600);
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
