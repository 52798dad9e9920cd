/** Questions and responses of DNS (RFC 1035), encoded by `dns-packet`. */
import { type Answer, type DecodedPacket, decode, encode, type Packet, RECURSION_DESIRED } from "dns-packet";
import { DNS_CNAME_LINKS_MAX, DNS_RECORD_MAX_BYTES, DNS_RECORDS_MAX } from "../../limits/sso-limits.ts";

/** A question about the TXT records of a name. */
export interface TxtQuestion {
  /** 16 random bits. */
  readonly id: number;
  readonly name: string;
}

export type DnsReading =
  /** Not a response to the question: a late or forged message. */
  | { readonly kind: "mismatch" }
  /** Longer than a datagram: the question is repeated by TCP. */
  | { readonly kind: "truncated" }
  /** A failure of the server, or a referral to other servers: no statement about the name. */
  | { readonly kind: "failure" }
  | { readonly kind: "response"; readonly records: TxtRecords };

/** The TXT records of a name at the end of the CNAMEs in one response. */
export interface TxtRecords {
  readonly values: readonly string[];
  /** The last CNAME target, if the response has no records of the target. */
  readonly target: string | undefined;
  /** CNAMEs followed in this response. */
  readonly links: number;
}

const FAILURE: DnsReading = { kind: "failure" };
const MISMATCH: DnsReading = { kind: "mismatch" };

export function encodeQuestion({ id, name }: TxtQuestion): Buffer {
  const packet: Packet = { type: "query", id, flags: RECURSION_DESIRED, questions: [{ type: "TXT", name }] };
  return encode(packet);
}

/** Reads a message from the network: any bytes. */
export function readResponse(message: Buffer, question: TxtQuestion): DnsReading {
  let packet: DecodedPacket & { readonly rcode?: string };
  try {
    packet = decode(message);
  } catch {
    return MISMATCH;
  }
  if (!isResponseTo(packet, question)) return MISMATCH;
  if (packet.flag_tc) return { kind: "truncated" };
  const { rcode } = packet;
  if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") return FAILURE;
  if (isReferral(packet)) return FAILURE;
  const records = followChain(packet.answers ?? [], question.name);
  if (!records) return FAILURE;
  return { kind: "response", records: rcode === "NXDOMAIN" ? { ...records, target: undefined } : records };
}

function isResponseTo(packet: DecodedPacket, { id, name }: TxtQuestion): boolean {
  const [question, ...more] = packet.questions ?? [];
  return (
    packet.flag_qr &&
    packet.id === id &&
    more.length === 0 &&
    question?.type === "TXT" &&
    (question.class ?? "IN") === "IN" &&
    sameName(question.name, name)
  );
}

/** A server without the zone names other servers instead of a response (RFC 1034, section 4.3.1). */
function isReferral({ answers, authorities, flag_aa }: DecodedPacket): boolean {
  const types = (authorities ?? []).map(({ type }) => type);
  return !flag_aa && (answers ?? []).length === 0 && types.includes("NS") && !types.includes("SOA");
}

/** Only records whose owner is the name, or a target of its CNAMEs, count; undefined: the chain is too long. */
function followChain(answers: readonly Answer[], name: string): TxtRecords | undefined {
  let owner = name;
  for (let links = 0; links <= DNS_CNAME_LINKS_MAX; links += 1) {
    const own = answers.filter((answer) => sameName(answer.name, owner) && isInternet(answer));
    const values = own.flatMap((answer) => (answer.type === "TXT" ? [joinStrings(answer.data)] : []));
    if (values.length > 0) return { values: boundedValues(values), target: undefined, links };
    const alias = own.find((answer) => answer.type === "CNAME");
    if (alias?.type !== "CNAME") return { values: [], target: links > 0 ? owner : undefined, links };
    owner = alias.data;
  }
  return undefined;
}

function isInternet(answer: Answer): boolean {
  return !("class" in answer) || (answer.class ?? "IN") === "IN";
}

/** The character-strings of one record are one text (RFC 7208, section 3.3). */
function joinStrings(data: string | Buffer | readonly (string | Buffer)[]): Buffer {
  const strings = Array.isArray(data) ? (data as readonly (string | Buffer)[]) : [data as string | Buffer];
  return Buffer.concat(strings.map((text) => Buffer.from(text as string)));
}

function boundedValues(values: readonly Buffer[]): readonly string[] {
  return values
    .slice(0, DNS_RECORDS_MAX)
    .filter((value) => value.length <= DNS_RECORD_MAX_BYTES)
    .map((value) => value.toString("utf8"));
}

/** Names of hosts are compared without regard to case (RFC 1035, section 2.3.3). */
function sameName(one: string, other: string): boolean {
  return one.toLowerCase().replace(/\.$/, "") === other.toLowerCase().replace(/\.$/, "");
}
