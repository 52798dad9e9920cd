/**
 * Opens sockets that each send a large body. The sockets live in a separate process, so that the measuring process is
 * not delayed.
 */
import { connect } from "node:net";

export interface Flood {
  readonly url: string;
  readonly sockets: number;
  readonly bodyBytes: number;
  /** Request line and headers without the framing headers of the body. The sockets use the heads in turn. */
  readonly heads: readonly string[];
  readonly bodyStart: string;
  readonly chunked?: boolean;
}

/** The number of sockets per status; 0 counts connections that closed without a response. */
export type FloodResult = Readonly<Record<string, number>>;

const CHUNK = Buffer.alloc(64 * 1024, 0x41);
const DEADLINE_MS = 30_000;
/** The pause between two connections: a network does not deliver 500 handshakes within a turn of the event loop. */
const CONNECT_INTERVAL_MS = 2;

export async function flood(settings: Flood): Promise<FloodResult> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(settings)], { stdout: "pipe" });
  return JSON.parse(await new Response(child.stdout).text());
}

function framed(bytes: Buffer, chunked: boolean): Buffer {
  return chunked ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]) : bytes;
}

/** Sends until the server has responded and the body is sent, or until the connection ends. Returns the status. */
function send({ url, bodyBytes, heads, bodyStart, chunked = false }: Flood, index: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bodyBytes}`;
  const { promise, resolve } = Promise.withResolvers<number>();
  let status = 0;
  let left = bodyBytes - bodyStart.length;
  const socket = connect({ host: hostname, port: Number(port) });
  const deadline = setTimeout(() => socket.destroy(), DEADLINE_MS);
  const write = () => {
    while (left > 0 && !socket.destroyed) {
      const isTaken = socket.write(framed(CHUNK.subarray(0, Math.min(left, CHUNK.length)), chunked));
      left -= CHUNK.length;
      if (!isTaken) return;
    }
    if (status > 0) socket.end();
  };
  socket.on("connect", () => {
    socket.write(`${heads[index % heads.length]}\r\n${framing}\r\n\r\n`);
    socket.write(framed(Buffer.from(bodyStart), chunked));
    write();
  });
  socket.on("drain", write);
  socket.on("data", (data) => {
    status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1] ?? 0);
    if (left <= 0) socket.end();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearTimeout(deadline);
    resolve(status);
  });
  return promise;
}

if (import.meta.main) {
  const settings: Flood = JSON.parse(process.argv[2] ?? "");
  const statuses = await Promise.all(
    Array.from({ length: settings.sockets }, async (_, index) => {
      await Bun.sleep(index * CONNECT_INTERVAL_MS);
      return await send(settings, index);
    }),
  );
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  console.log(JSON.stringify(counts));
}
