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

/** The address as limits count it: an IPv6 client owns its /64, so that counts as one (promise 14). */
export function limitedNetwork(address: string | null): string {
  if (address === null) return "unknown";
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`;
}

/** One spelling for each address; IPv4 in IPv6 clothes is IPv4. `undefined` for what is no address. */
function canonical(text: string): string | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}
