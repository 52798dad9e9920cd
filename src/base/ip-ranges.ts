/** Ranges of network addresses as text in CIDR notation (RFC 4632, RFC 4291, section 2.3). */
import ipaddr from "ipaddr.js";

/** Four numbers without leading zeros, which other parsers read as octal; also at the end of an IPv6 address. */
const DOTTED_DECIMAL = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}(?:\/(?:0|[1-9]\d{0,2}))?$/;
/** Bits of the prefix of IPv4-mapped IPv6 addresses (RFC 4291, section 2.5.5.2). */
const MAPPED_PREFIX_BITS = 96;

/**
 * The canonical text of a range, or of a single address as a range: host bits are cleared, and an IPv4-mapped range
 * becomes IPv4, because the service knows clients by IPv4. Undefined for any other text. A zone (RFC 4007) names an
 * interface of one host; `010.0.0.1`, `10.1` and `0x7f000001` have a different meaning in most other parsers.
 */
export function canonicalNetwork(text: string): string | undefined {
  const dotted = text.slice(text.lastIndexOf(":") + 1);
  const isDotted = dotted.includes(".") || !text.includes(":");
  if (text.includes("%") || (isDotted && !DOTTED_DECIMAL.test(dotted))) return undefined;
  try {
    const single = ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
    const [address, bits] = single ? [single, single.kind() === "ipv4" ? 32 : 128] : ipaddr.parseCIDR(text);
    if (address instanceof ipaddr.IPv4) return networkOf(ipaddr.IPv4, address, bits);
    if (!address.isIPv4MappedAddress()) return networkOf(ipaddr.IPv6, address, bits);
    if (bits < MAPPED_PREFIX_BITS) return undefined;
    return networkOf(ipaddr.IPv4, address.toIPv4Address(), bits - MAPPED_PREFIX_BITS);
  } catch {
    return undefined;
  }
}

function networkOf(
  kind: { networkAddressFromCIDR(text: string): { toString(): string } },
  address: { toString(): string },
  bits: number,
): string {
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

/** Whether a canonical range contains all addresses of its family. */
export function coversEverything(network: string): boolean {
  return network.endsWith("/0");
}

interface ParsedRanges {
  readonly networks: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
  /** The address of the last call: most requests of a session or key come from one address. */
  last: { readonly address: string; readonly isInside: boolean } | undefined;
}

/** By the list of a held session or key, which does not change: the texts of 64 ranges cost more than the request. */
const parsedRanges = new WeakMap<readonly string[], ParsedRanges>();

function parsedOf(ranges: readonly string[]): ParsedRanges {
  const known = parsedRanges.get(ranges);
  if (known) return known;
  const parsed: ParsedRanges = { networks: ranges.map((range) => ipaddr.parseCIDR(range)), last: undefined };
  parsedRanges.set(ranges, parsed);
  return parsed;
}

/** Whether one of the ranges, valid CIDR texts, contains an address. An unknown address is in no range. */
export function isInNetworks(ranges: readonly string[], address: string | null): boolean {
  if (address === null) return false;
  const held = parsedOf(ranges);
  if (held.last?.address === address) return held.last.isInside;
  const parsed = ipaddr.process(address);
  const isInside = held.networks.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
  held.last = { address, isInside };
  return isInside;
}

/** Whether one of the ranges contains the whole of a range; all are valid CIDR texts. */
export function isWithinNetworks(ranges: readonly string[], range: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(range);
  return parsedOf(ranges).networks.some(
    ([network, wide]) => network.kind() === address.kind() && wide <= bits && address.match(network, wide),
  );
}
