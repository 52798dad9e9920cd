import { describe, expect, test } from "bun:test";
import { writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { openSpool } from "../../src/base/spool.ts";
import { peakOf } from "../support/memory.ts";

const MIB = 1024 * 1024;
/** Without collections the buffers take 70 to 100 MiB, then less, as the runtime learns. */
const GROWTH_MAX_BYTES = 48 * MIB;
const STREAMED_BYTES = 512 * MIB;

describe("A stream of a spool", () => {
  test("A reader with all parts has the head and every byte, in order.", async () => {
    const content = Buffer.alloc(20 * MIB + 7);
    for (let at = 0; at < content.length - 4; at += 1024) content.writeUInt32BE(at, at);
    const spool = openSpool(tmpdir(), crypto.randomUUID());
    writeSync(spool.fd, content, 0, content.length, 0);
    const parts: Uint8Array[] = [];
    for await (const part of spool.stream(content.length, "head")) parts.push(part);
    expect(Buffer.concat(parts).equals(Buffer.concat([Buffer.from("head"), content]))).toBe(true);
  });

  test("A response of any length adds less than 48 MiB of memory to a process.", async () => {
    const command = [process.execPath, "test/support/spool-server.ts", String(STREAMED_BYTES)];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
    try {
      const { value } = await child.stdout.getReader().read();
      const port = Number(new TextDecoder().decode(value));
      let received = 0;
      const growth = await peakOf(child.pid, async () => {
        const response = await fetch(`http://127.0.0.1:${port}`);
        for await (const part of response.body ?? []) received += part.length;
      });
      expect(received).toBe(STREAMED_BYTES);
      expect(growth).toBeLessThan(GROWTH_MAX_BYTES);
    } finally {
      child.kill();
      await child.exited;
    }
  });
});
