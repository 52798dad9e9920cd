/** Addresses of the public Internet, permitted targets of customers (docs/contract.md, section 26.5). */
import ipaddr from "ipaddr.js";

/** Azure's metadata and wire server: a public address reachable only from virtual machines. */
const PUBLIC_METADATA = new Set(["168.63.129.16"]);
/** 2000::/3 (RFC 4291, section 2.4). IPv4-compatible addresses and NAT64 (RFC 6052, RFC 8215) are outside. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [new ipaddr.IPv6([0x2000, 0, 0, 0, 0, 0, 0, 0]), 3];
/** Fifth and sixth group of an ISATAP address, without the universal and the group bit (RFC 5214, section 6.1). */
const ISATAP_GROUP = 0x5efe;
const UNIVERSAL_AND_GROUP_BITS = 0x0300;

/** Whether an address belongs to the Internet. Ranges reserved by a registry for a special purpose do not. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || PUBLIC_METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed));
}

/** A tunnel endpoint would forward to the IPv4 address in the last 32 bits, in any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [fifth = 0, sixth] = parts.slice(4);
  return sixth === ISATAP_GROUP && (fifth & ~UNIVERSAL_AND_GROUP_BITS) === 0;
}
