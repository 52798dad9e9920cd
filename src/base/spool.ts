/** Unlinked temporary files for output that is too large for memory. No other process can open them by name. */
import { closeSync, openSync, read, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { streamOfParts } from "./runtime.ts";

const CHUNK_BYTES = 256 * 1024;
const readInto = promisify(read);

export interface Spool {
  /** File descriptor of this process; worker threads may write to it. */
  readonly fd: number;
  /** Streams `head`, then the first `bytes`, on demand. The end and a cancellation close the spool. */
  stream(bytes: number, head?: string): ReadableStream<Uint8Array>;
  /** Frees the space. Idempotent. */
  close(): void;
}

/** Creates a file of mode 0600 and unlinks the file at once, so that the system frees the space even after a crash. */
export function openSpool(directory: string, name: string): Spool {
  const path = join(directory, `identity-service-${name}.spool`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  let open = true;
  const close = () => {
    if (open) closeSync(fd);
    open = false;
  };
  return {
    fd,
    close,
    stream(bytes, head = "") {
      let position = 0;
      return streamOfParts({
        head,
        partMaxBytes: CHUNK_BYTES,
        async read(buffer) {
          const wanted = open ? Math.min(CHUNK_BYTES, bytes - position) : 0;
          if (wanted === 0) return 0;
          const { bytesRead } = await readInto(fd, buffer, 0, wanted, position);
          position += bytesRead;
          return bytesRead;
        },
        close,
      });
    },
  };
}
