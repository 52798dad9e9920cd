/** Unlinked temporary files for output that is too large for memory. No other process can open them by name. */
import { closeSync, openSync, read, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { collectYoungGarbage } from "./runtime.ts";

const CHUNK_BYTES = 256 * 1024;
/**
 * A reader may keep a part, so each part has a buffer; garbage is collected after this size. The runtime itself waits
 * until the buffers take up to a hundred MiB.
 */
const COLLECTION_BYTES = 8 * 1024 * 1024;
/** The part before a collection survives the collection, and stays in memory until a whole collection. */
const SURVIVING_BYTES = 1024;
const readInto = promisify(read);
const NOTHING_READ = { bytesRead: 0, buffer: Buffer.alloc(0) };

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
      return new ReadableStream<Uint8Array>({
        start(controller) {
          if (head !== "") controller.enqueue(Buffer.from(head));
        },
        async pull(controller) {
          try {
            if (position > COLLECTION_BYTES && position % COLLECTION_BYTES === SURVIVING_BYTES) collectYoungGarbage();
            const wanted = Math.min(partBytesAt(position), bytes - position);
            const { bytesRead, buffer } =
              wanted > 0 ? await readInto(fd, Buffer.alloc(wanted), 0, wanted, position) : NOTHING_READ;
            position += bytesRead;
            if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
            if (position < bytes && bytesRead > 0) return;
            controller.close();
          } catch (error) {
            controller.error(error);
          }
          close();
        },
        cancel: close,
      });
    },
  };
}

function partBytesAt(position: number): number {
  const sinceCollection = position % COLLECTION_BYTES;
  return sinceCollection === 0 ? SURVIVING_BYTES : Math.min(CHUNK_BYTES, COLLECTION_BYTES - sinceCollection);
}
