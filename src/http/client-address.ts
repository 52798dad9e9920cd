import ipaddr from "ipaddr.js";
import type { Config } from "../config/config.ts";

type Proxies = Config["proxies"];

/**
 * The client address (docs/contract.md, section 2.11): the address of the socket, or, if the peer is a trusted proxy,
 * the right-most address of X-Forwarded-For that is not a trusted proxy. Addresses that a client writes into the header
 * stand further left and are not read.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | null, proxies: Proxies): string | null {
  const socket = canonical(peer ?? "");
  if (!socket) return null;
  if (!forwardedFor || !proxies.contains(socket)) return socket;
  let nearest = socket;
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = canonical(hop.trim());
    if (!address) return nearest;
    nearest = address;
    if (!proxies.contains(address)) return address;
  }
  return nearest;
}

/** Whether X-Forwarded-For and traceparent of this peer are accepted. */
export function isTrustedProxy(peer: string | undefined, proxies: Proxies): boolean {
  const socket = canonical(peer ?? "");
  return socket !== undefined && proxies.contains(socket);
}

/** The network that limits count: an IPv6 client controls a whole /64, so the /64 counts as one network (G14). */
export function limitedNetwork(address: string | null): string {
  if (address === null) return "unknown";
  if (CANONICAL_IPV4.test(address) || ipaddr.parse(address).kind() === "ipv4") return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`;
}

/** RFC 7239, RFC 9110 section 7.6.3, and the headers that proxies and content delivery networks send instead. */
const FORWARDING_HEADER =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|.+-(?:real|client|connecting)-ip|x-real-ip)$/;

/**
 * Whether a program on this machine sent the request, through no proxy.
 * `address`: the client address; without a forwarding header the address of the socket.
 */
export function isFromThisMachine({ headers }: Request, address: string | null): boolean {
  const isLoopback = address !== null && ipaddr.parse(address).range() === "loopback";
  return isLoopback && ![...headers.keys()].some((name) => FORWARDING_HEADER.test(name));
}

/** `203.0.113.7:5678` and `[2001:db8::7]:443`, as some proxies write the hops of X-Forwarded-For. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d+|\[(?<v6>[^\]]+)\](?::\d+)?)$/;

/** An IPv4 address in canonical text, as sockets have it: needs no parser. */
const CANONICAL_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Canonical text: an IPv4-mapped IPv6 address becomes IPv4, a port is removed. `undefined` for anything else. */
function canonical(text: string): string | undefined {
  if (CANONICAL_IPV4.test(text)) return text;
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = v4 ?? v6 ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}
