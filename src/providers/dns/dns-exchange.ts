/** One question to one DNS server: by UDP, then by TCP if the response is longer than a datagram. */
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { connect, isIP } from "node:net";
import { DNS_MESSAGE_MAX_BYTES, DNS_MISMATCHES_MAX } from "../../limits/sso-limits.ts";
import { type DnsReading, encodeQuestion, readResponse, type TxtQuestion } from "./dns-message.ts";

export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const FAILURE: DnsReading = { kind: "failure" };
const TRUNCATED: DnsReading = { kind: "truncated" };
const LENGTH_BYTES = 2;

/** Never rejects: a server that cannot be reached, or is silent until `signal` fires, is a failure. */
export async function exchange(server: DnsServer, question: TxtQuestion, signal: AbortSignal): Promise<DnsReading> {
  try {
    const { host, port } = server;
    const address = isIP(host) ? host : (await lookup(host)).address;
    const target = { address, port };
    const reading = await askByUdp(target, question, signal);
    return reading.kind === "truncated" ? await askByTcp(target, question, signal) : reading;
  } catch {
    return FAILURE;
  }
}

/** A new socket for every question, so that the source port is random (RFC 5452, section 9.2). */
function askByUdp({ address, port }: ServerAddress, question: TxtQuestion, signal: AbortSignal): Promise<DnsReading> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
    let mismatches = 0;
    const end = (reading: DnsReading) => {
      signal.removeEventListener("abort", onAbort);
      if (!closed) socket.close();
      closed = true;
      resolve(reading);
    };
    let closed = false;
    const onAbort = () => end(FAILURE);
    socket.on("error", () => end(FAILURE));
    socket.on("message", (message, sender) => {
      if (closed) return;
      const fromServer = sender.address === address && sender.port === port;
      const reading = fromServer ? readResponse(message, question) : ({ kind: "mismatch" } as const);
      if (reading.kind !== "mismatch") return end(reading);
      mismatches += 1;
      // Many wrong messages are an attempt to guess id and port: TCP cannot be guessed without the path.
      if (mismatches >= DNS_MISMATCHES_MAX) end(TRUNCATED);
    });
    if (signal.aborted) return end(FAILURE);
    signal.addEventListener("abort", onAbort);
    socket.send(encodeQuestion(question), port, address, (error) => {
      if (error) end(FAILURE);
    });
  });
}

/** RFC 1035, section 4.2.2: a length of two bytes precedes each message. */
function askByTcp({ address, port }: ServerAddress, question: TxtQuestion, signal: AbortSignal): Promise<DnsReading> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let received = Buffer.alloc(0);
    const end = (reading: DnsReading) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      resolve(reading);
    };
    const onAbort = () => end(FAILURE);
    if (signal.aborted) return end(FAILURE);
    signal.addEventListener("abort", onAbort);
    socket.on("error", () => end(FAILURE));
    socket.on("close", () => end(FAILURE));
    socket.on("connect", () => socket.write(withLength(encodeQuestion(question))));
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length > DNS_MESSAGE_MAX_BYTES + LENGTH_BYTES) return end(FAILURE);
      const message = completeMessage(received);
      if (!message) return;
      const reading = readResponse(message, question);
      end(reading.kind === "response" ? reading : FAILURE);
    });
  });
}

function withLength(message: Buffer): Buffer {
  const framed = Buffer.alloc(LENGTH_BYTES + message.length);
  framed.writeUInt16BE(message.length);
  message.copy(framed, LENGTH_BYTES);
  return framed;
}

function completeMessage(received: Buffer): Buffer | undefined {
  if (received.length < LENGTH_BYTES) return undefined;
  const length = received.readUInt16BE();
  return received.length < LENGTH_BYTES + length ? undefined : received.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
}
