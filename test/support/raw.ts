/** Sends requests byte by byte that no HTTP client would send. */
import { connect } from "node:net";

export interface RawResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Milliseconds until the server closed the connection; undefined while the connection is open. */
  readonly closedAfterMs: number | undefined;
}

export interface RawOptions {
  /** Bytes that the client writes once per second after the head. */
  readonly dribble?: string;
  /** The longest wait in milliseconds for the server to close the connection. */
  readonly waitMs?: number;
  /** True: the wait ends with the first line of the response. */
  readonly untilStatus?: boolean;
  /** The local address of the connection. */
  readonly from?: string;
}

/** Sends text to a replica and returns the received bytes after the end of the connection or of the wait. */
export function sendRaw(
  url: string,
  text: string,
  { dribble, waitMs = 500, untilStatus = false, from }: RawOptions = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let received = "";
    const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) }, () =>
      socket.write(text),
    );
    const drip = dribble ? setInterval(() => socket.writable && socket.write(dribble), 1_000) : undefined;
    const end = (closedAfterMs: number | undefined) => {
      clearInterval(drip);
      clearTimeout(deadline);
      socket.destroy();
      resolve({ ...parse(received), closedAfterMs });
    };
    const deadline = setTimeout(() => end(undefined), waitMs);
    socket.on("data", (data) => {
      received += data;
      if (untilStatus && received.includes("\r\n\r\n")) end(undefined);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => end(performance.now() - startedAt));
  });
}

function parse(text: string): Omit<RawResponse, "closedAfterMs"> {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [line = "", ...lines] = head.split("\r\n");
  // With `untilStatus` the head can end within a line.
  const complete = lines.filter((each) => each.includes(":"));
  const headers = new Headers(
    complete.map((each): [string, string] => [
      each.slice(0, each.indexOf(":")),
      each.slice(each.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(line.split(" ")[1] ?? 0), headers, body };
}
