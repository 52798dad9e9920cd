/** An authoritative DNS server on a loopback port, by UDP and TCP, whose records and faults a test changes. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { createServer, type Socket } from "node:net";
import { type Answer, AUTHORITATIVE_ANSWER, type DecodedPacket, decode, encode, type Packet } from "dns-packet";

export interface DnsServer {
  /** The value of `SERVICE_DNS_SERVERS`. */
  readonly address: string;
  /** The records by the name of the question; unknown names do not exist (NXDOMAIN). */
  readonly records: Map<string, readonly Answer[]>;
  /** The changed response to questions about a name. */
  readonly faults: Map<string, DnsFault>;
  /** Names of the received questions, with the transport. */
  readonly questions: string[];
  /** Sets the TXT records of a name; each text is one record. */
  setTxt(name: string, ...texts: readonly (string | readonly string[])[]): void;
  stop(): void;
}

/** Undefined: no response. A list: several datagrams. */
export type DnsFault = (question: DecodedPacket, honest: Packet, transport: "udp" | "tcp") => readonly Packet[];

export const SILENT: DnsFault = () => [];
const SERVER_FAILURE = 2;
export const SERVFAIL: DnsFault = (_question, honest) => [{ ...honest, flags: SERVER_FAILURE, answers: [] }];
const NAME_ERROR = 3;
const TRUNCATED_FLAG = 1 << 9;
export const TRUNCATED: DnsFault = (_question, honest, transport) => [
  transport === "udp" ? { ...honest, flags: (honest.flags ?? 0) | TRUNCATED_FLAG, answers: [] } : honest,
];

export async function startDnsServer(): Promise<DnsServer> {
  const records: DnsServer["records"] = new Map();
  const faults: DnsServer["faults"] = new Map();
  const questions: string[] = [];

  function respond(message: Buffer, transport: "udp" | "tcp"): readonly Buffer[] {
    const question = decode(message);
    const name = question.questions?.[0]?.name ?? "";
    questions.push(`${transport} ${name}`);
    const answers = records.get(name.toLowerCase());
    const honest: Packet = {
      type: "response",
      id: question.id ?? 0,
      flags: AUTHORITATIVE_ANSWER | (answers ? 0 : NAME_ERROR),
      questions: question.questions,
      answers: [...(answers ?? [])],
    };
    const fault = faults.get(name.toLowerCase());
    return (fault ? fault(question, honest, transport) : [honest]).map((packet) => encode(packet));
  }

  const udp = createSocket("udp4");
  udp.on("message", (message: Buffer, sender: RemoteInfo) => {
    for (const response of respond(message, "udp")) udp.send(response, sender.port, sender.address);
  });
  const tcp = createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      for (const response of respond(chunk.subarray(2), "tcp")) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        socket.write(Buffer.concat([length, response]));
      }
    });
  });
  const port = await listen(udp, tcp);
  return {
    address: `127.0.0.1:${port}`,
    records,
    faults,
    questions,
    setTxt(name, ...texts) {
      const answers = texts.map((data): Answer => ({ type: "TXT", name, ttl: 60, data: data as string | string[] }));
      records.set(name, answers);
    },
    stop() {
      udp.close();
      tcp.close();
    },
  };
}

/** One port for both transports. */
async function listen(udp: ReturnType<typeof createSocket>, tcp: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const address = tcp.address();
  if (address === null || typeof address === "string") throw new Error("the DNS server has no port");
  await new Promise<void>((resolve, reject) => {
    udp.once("error", reject);
    udp.bind(address.port, "127.0.0.1", resolve);
  });
  return address.port;
}
