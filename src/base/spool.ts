/** Owns: files that are too large for memory and that nobody else may see. They have no name as soon as they exist. */
import { closeSync, openSync, read, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const CHUNK_BYTES = 256 * 1024;
const readInto = promisify(read);

export interface Spool {
  /** Of this process: a worker thread may write to it. */
  readonly fd: number;
  /** Its first `bytes`, read as they are asked for. The end, and giving up, close the spool. */
  stream(bytes: number): ReadableStream<Uint8Array>;
  /** Frees the space. May be called again. */
  close(): void;
}

/** Makes a file of mode 0600 and takes its name away at once: whatever happens, the system frees it. */
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
    stream(bytes) {
      let position = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          try {
            const wanted = Math.min(CHUNK_BYTES, bytes - position);
            const { bytesRead, buffer } = await readInto(fd, Buffer.alloc(wanted), 0, wanted, position);
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
