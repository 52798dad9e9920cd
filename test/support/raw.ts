/** Requests byte by byte, for what no HTTP client would send. */
import { connect } from "node:net";

export interface RawResponse {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Milliseconds until the other side closed the connection; undefined while it is open. */
  readonly closedAfterMs: number | undefined;
}

export interface RawOptions {
  /** Written once a second after the head. */
  readonly dribble?: string;
  /** How long to wait for the other side to close. */
  readonly waitMs?: number;
  /** True: the wait ends with the first line of the response. */
  readonly untilStatus?: boolean;
  /** The address of this machine to connect from. */
  readonly from?: string;
}

/** Sends text to a replica and returns what came back when the connection was closed, or after the wait. */
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
      if (untilStatus && received.includes("\r\n")) end(undefined);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => end(performance.now() - startedAt));
  });
}

function parse(text: string): Omit<RawResponse, "closedAfterMs"> {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [line = "", ...lines] = head.split("\r\n");
  const headers = new Headers(
    lines.map((each): [string, string] => [each.slice(0, each.indexOf(":")), each.slice(each.indexOf(":") + 1).trim()]),
  );
  return { status: Number(line.split(" ")[1] ?? 0), headers, body };
}
