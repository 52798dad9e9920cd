import ipaddr from "ipaddr.js";
import type { Config } from "../config/config.ts";

type Proxies = Config["proxies"];

/**
 * The address of the client (decisions, section 1): the socket's, unless its peer is a trusted proxy; then the right-most of
 * X-Forwarded-For that is not one. Anything the client itself wrote there stands further left and changes nothing.
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

/** Whether the socket's peer is a proxy whose word counts: on the client's address, and on its trace. */
export function isTrustedProxy(peer: string | undefined, proxies: Proxies): boolean {
  const socket = canonical(peer ?? "");
  return socket !== undefined && proxies.contains(socket);
}

/** The address as limits count it: an IPv6 client owns its /64, so that counts as one (promise 14). */
export function limitedNetwork(address: string | null): string {
  if (address === null) return "unknown";
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`;
}

/** `203.0.113.7:5678` and `[2001:db8::7]:443`, as some proxies write the hops of X-Forwarded-For. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d+|\[(?<v6>[^\]]+)\](?::\d+)?)$/;

/** One spelling for each address: an IPv4-mapped IPv6 address is IPv4, a port is dropped. `undefined` for anything else. */
function canonical(text: string): string | undefined {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = v4 ?? v6 ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}
