import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { streamOfParts } from "../../src/base/runtime.ts";
import { until } from "../support/waiting.ts";

const PART_BYTES = 1024 * 1024;
const PARTS = 64;
/** More than the kernel's buffers of a loopback connection. */
const AHEAD_MAX_PARTS = 32;

function source(failsAt = PARTS + 1) {
  const state = { produced: 0, isClosed: false };
  const stream = streamOfParts({
    head: "head",
    partMaxBytes: PART_BYTES,
    async read(buffer) {
      if (state.produced === failsAt) throw new Error("the file failed");
      if (state.produced === PARTS) return 0;
      buffer.fill(state.produced);
      state.produced += 1;
      return PART_BYTES;
    },
    close() {
      state.isClosed = true;
    },
  });
  return { state, stream };
}

async function whileServing(stream: ReadableStream<Uint8Array>, use: (url: URL) => Promise<void>): Promise<void> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(stream) });
  await use(server.url).finally(() => server.stop(true));
}

/** Emits the bytes of the connection as they arrive; the client of the runtime reads ahead. */
function rawRequest(url: URL) {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET / HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return socket;
}

describe("A stream of parts", () => {
  test("A response has the head and every byte of every part, and the source is closed.", async () => {
    const { state, stream } = source();
    await whileServing(stream, async (url) => {
      const content = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect([content.subarray(0, 4).toString(), content.length]).toEqual(["head", 4 + PARTS * PART_BYTES]);
      for (let part = 0; part < PARTS; part += 1) {
        const start = 4 + part * PART_BYTES;
        expect(content.subarray(start, start + PART_BYTES).equals(Buffer.alloc(PART_BYTES, part))).toBe(true);
      }
      expect(state.isClosed).toBe(true);
    });
  });

  test("The source is read no further ahead of a client than the buffers of the connection.", async () => {
    const { state, stream } = source();
    await whileServing(stream, async (url) => {
      let [received, ahead] = [0, 0];
      const socket = rawRequest(url).on("data", (bytes) => {
        received += bytes.length;
        ahead = Math.max(ahead, state.produced - received / PART_BYTES);
      });
      await until("the end arrives", async () => received >= PARTS * PART_BYTES);
      socket.destroy();
      expect(ahead).toBeLessThan(AHEAD_MAX_PARTS);
    });
  });

  test("A client that disconnects closes the source before the end.", async () => {
    const { state, stream } = source();
    await whileServing(stream, async (url) => {
      const socket = rawRequest(url).once("data", () => socket.destroy());
      await until("the source is closed", async () => state.isClosed);
      expect(state.produced).toBeLessThan(PARTS);
    });
  });

  test("A failure of the source cuts the connection, so no client takes a part for the whole.", async () => {
    const { state, stream } = source(PARTS / 2);
    await whileServing(stream, async (url) => {
      const content = (await fetch(url)).arrayBuffer();
      expect(content).rejects.toThrow();
      await content.catch(() => undefined);
      expect(state.isClosed).toBe(true);
    });
  });
});
