/**
 * Reads TXT records from DNS, without the resolver of the runtime: the resolver of Bun 1.4.5 neither joins the strings
 * of a record nor compares the owners of records with the question.
 */
import { getServers } from "node:dns";
import type { Random } from "../../base/random.ts";
import {
  DNS_ATTEMPT_MS,
  DNS_ATTEMPTS_MAX,
  DNS_CNAME_LINKS_MAX,
  DNS_DEADLINE_MS,
  DNS_PORT,
  DNS_SYSTEM_SERVERS_MAX,
} from "../../limits/sso-limits.ts";
import { type DnsServer, exchange } from "./dns-exchange.ts";
import type { TxtRecords } from "./dns-message.ts";

/** The values of a TXT record at each server whose response counts; undefined: no definite response. */
export type TxtResponses = readonly (readonly string[] | undefined)[];

export interface TxtResolver {
  /** Takes at most `DNS_DEADLINE_MS`, and never rejects. */
  findTxt(name: string): Promise<TxtResponses>;
}

export interface TxtResolverDeps {
  readonly random: Pick<Random, "bytes">;
  /** Servers that must all have the record; empty: the servers of the system, which replace one another. */
  readonly servers: readonly DnsServer[];
}

export function txtResolver({ random, servers }: TxtResolverDeps): TxtResolver {
  return {
    async findTxt(name) {
      const deadline = AbortSignal.timeout(DNS_DEADLINE_MS);
      const groups = servers.length > 0 ? servers.map((server) => [server]) : [systemServers()];
      return await Promise.all(groups.map((group) => findAt({ random, group, deadline }, name)));
    },
  };
}

interface Lookup {
  readonly random: Pick<Random, "bytes">;
  /** Servers with equal data: the next server is asked after a failure. */
  readonly group: readonly DnsServer[];
  readonly deadline: AbortSignal;
}

/** Follows CNAMEs into other zones, whose records an authoritative server leaves out of the response. */
async function findAt(lookup: Lookup, name: string): Promise<readonly string[] | undefined> {
  let question = name;
  let links = 0;
  while (links <= DNS_CNAME_LINKS_MAX) {
    const records = await ask(lookup, question);
    if (!records) return undefined;
    if (records.target === undefined) return records.values;
    links += records.links;
    question = records.target;
  }
  return undefined;
}

async function ask({ random, group, deadline }: Lookup, name: string): Promise<TxtRecords | undefined> {
  if (group.length === 0) return undefined;
  for (let attempt = 0; attempt < DNS_ATTEMPTS_MAX && !deadline.aborted; attempt += 1) {
    const server = group[attempt % group.length];
    if (!server) return undefined;
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(DNS_ATTEMPT_MS)]);
    const reading = await exchange(server, { id: random.bytes(2).readUInt16BE(), name }, signal);
    if (reading.kind === "response") return reading.records;
  }
  return undefined;
}

function systemServers(): readonly DnsServer[] {
  return getServers().slice(0, DNS_SYSTEM_SERVERS_MAX).map(parseSystemServer);
}

/** `getServers` writes a port other than 53 as `address:port` or `[address]:port` (RFC 5952). */
function parseSystemServer(text: string): DnsServer {
  const [, bracketed, port] = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? [];
  return { host: bracketed ?? text, port: port === undefined ? DNS_PORT : Number(port) };
}
