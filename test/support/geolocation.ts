/** Writes a geolocation file (MaxMind DB File Format Specification 2.0) with a few networks. */
import type { Location } from "../../src/vocabulary/location.ts";

type Value = string | number | { readonly [key: string]: Value };

const STRING_TYPE = 2;
const UINT32_TYPE = 6;
const MAP_TYPE = 7;
const METADATA_MARKER = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");
const DATA_SEPARATOR_BYTES = 16;
const RECORD_BYTES = 3;
/** Longer values need an extended length. */
const SHORT_BYTES_MAX = 28;

/** Documentation networks (RFC 5737) with the places of the test file. */
export const PLACES = {
  "203.0.113.0/24": { country: "AT", city: "Vienna" },
  "198.51.100.0/24": { country: "AT", city: "Graz" },
} as const satisfies Record<string, Location>;

function encode(value: Value): Buffer {
  if (typeof value === "string") return Buffer.concat([control(STRING_TYPE, value.length), Buffer.from(value)]);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(UINT32_TYPE, bytes.length), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    control(MAP_TYPE, entries.length),
    ...entries.flatMap(([key, member]) => [encode(key), encode(member)]),
  ]);
}

function control(type: number, size: number): Buffer {
  if (size > SHORT_BYTES_MAX) throw new Error("the writer has short values only");
  return Buffer.of((type << 5) | size);
}

interface Tree {
  /** A child, the index of a place, or undefined. */
  readonly children: [Tree | number | undefined, Tree | number | undefined];
}

/** The content of a file with the given places by IPv4 network. */
export function geolocationFile(places: Readonly<Record<string, Location>> = PLACES): Buffer {
  const root: Tree = { children: [undefined, undefined] };
  const records: Buffer[] = [];
  for (const [network, { country, city }] of Object.entries(places)) {
    records.push(encode({ country: { iso_code: country ?? "" }, city: { names: { en: city ?? "" } } }));
    insert(root, network, records.length - 1);
  }
  const nodes: Tree[] = [];
  collect(root, nodes);
  const offsets = records.map((_, index) => Buffer.concat(records.slice(0, index)).length);
  const pointer = (child: Tree | number | undefined) => {
    if (child === undefined) return nodes.length;
    return typeof child === "number"
      ? nodes.length + DATA_SEPARATOR_BYTES + (offsets[child] ?? 0)
      : nodes.indexOf(child);
  };
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  nodes
    .flatMap(({ children }) => children)
    .forEach((child, index) => {
      tree.writeUIntBE(pointer(child), index * RECORD_BYTES, RECORD_BYTES);
    });
  const metadata = encode({
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
    ip_version: 4,
    database_type: "Test-City",
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
  });
  return Buffer.concat([tree, Buffer.alloc(DATA_SEPARATOR_BYTES), ...records, METADATA_MARKER, metadata]);
}

function insert(root: Tree, network: string, place: number): void {
  const [address = "", length = "32"] = network.split("/");
  const bits = address.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  const path = bits.join("").slice(0, Number(length));
  let node = root;
  for (const [depth, bit] of [...path].entries()) {
    const side = bit === "1" ? 1 : 0;
    if (depth === path.length - 1) {
      node.children[side] = place;
      return;
    }
    const child = node.children[side];
    const next: Tree = typeof child === "object" ? child : { children: [undefined, undefined] };
    node.children[side] = next;
    node = next;
  }
}

function collect(node: Tree, nodes: Tree[]): void {
  nodes.push(node);
  for (const child of node.children) if (typeof child === "object") collect(child, nodes);
}
