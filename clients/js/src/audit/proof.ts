/** The proof of an export: a header, then a line for every leaf of the range, in the order of the tree. */
import { parseJson } from "./jcs.ts";
import { fromBase64, toBase64 } from "./note.ts";
import { isTime } from "./time.ts";

/** The additional members in the proof of an export of a single organization. */
export interface OrganizationHeader {
  readonly organizationId: string;
  /** Leaves of other organizations, and leaves whose record is missing or changed; the proof has only the hashes. */
  readonly other: number;
  readonly nobody: number;
  /** A note signed by the key of the log: the leaves that belong to the organization (`statementOf`). */
  readonly statement: string;
}

/** The first line of the document. */
export interface ProofHeader {
  /** The signed note. */
  readonly checkpoint: string;
  /** The size of the tree when the export was made: the export has no record of a later leaf. */
  readonly treeSize: number;
  /** The period of the export, in RFC 3339; null: from the first record, up to the last record. */
  readonly from: string | null;
  readonly to: string | null;
  /** The service states that retention dropped the months that ended earlier; null: retention drops no records. */
  readonly retainedFrom: string | null;
  /** The size of a checkpoint that the auditor kept: subtrees end at this size, so that the root can be computed. */
  readonly keptSize: number | null;
  /** The first and last leaf of the lines; `lastLeaf` is `firstLeaf` - 1 for an export without lines. */
  readonly firstLeaf: number;
  readonly lastLeaf: number;
  readonly lines: number;
  /** Leaves between first and last whose record is not in the period. */
  readonly leftOut: number;
  /** The subtrees before the first leaf and after the last leaf, from left to right. */
  readonly left: readonly Uint8Array[];
  readonly right: readonly Uint8Array[];
  /** Undefined for an export of the whole trail. */
  readonly organization?: OrganizationHeader;
}

/** Neighbouring leaves that do not belong to the organization: the root of a complete subtree. */
export interface ProofSubtree {
  readonly leaf: number;
  readonly level: number;
  readonly hash: Uint8Array;
  readonly of: "other" | "nobody";
}

/** A leaf of the range. */
export interface ProofEntry {
  readonly leaf: number;
  /** `id` of the record. */
  readonly id: number;
  readonly hash: Uint8Array;
  /** Set for a leaf without a line: the record, or null if the record no longer exists. */
  readonly leftOut?: Readonly<Record<string, unknown>> | null;
}

const FORMAT = "audit-export/1";
const ORGANIZATION_FORMAT = "audit-organization-export/1";

/**
 * The text of the statement: the tree of only the organization's leaves, and the covered range. The first line is not
 * the name of a log.
 */
export function statementOf(origin: string, header: ProofHeader, root: Uint8Array): string {
  const { treeSize, firstLeaf, lastLeaf, lines, leftOut, from, to, organization } = header;
  return [
    `${origin}/organizations/${organization?.organizationId}`,
    lines + leftOut,
    toBase64(root),
    `tree_size ${treeSize}`,
    `leaves ${firstLeaf} ${lastLeaf}`,
    `lines ${lines}`,
    `period ${from ?? "-"} ${to ?? "-"}`,
    "",
  ].join("\n");
}

/** The header as in the document; written by the service. */
export function writeProofHeader(header: ProofHeader, encode: (bytes: Uint8Array) => string): string {
  const { checkpoint, treeSize, from, to, retainedFrom, keptSize, firstLeaf, lastLeaf, lines, leftOut } = header;
  const { organization } = header;
  return JSON.stringify({
    format: organization ? ORGANIZATION_FORMAT : FORMAT,
    organization_id: organization?.organizationId,
    checkpoint,
    tree_size: treeSize,
    from,
    to,
    retained_from: retainedFrom,
    kept_size: keptSize,
    first_leaf: firstLeaf,
    last_leaf: lastLeaf,
    lines,
    left_out: leftOut,
    other: organization?.other,
    nobody: organization?.nobody,
    statement: organization?.statement,
    left: header.left.map(encode),
    right: header.right.map(encode),
  });
}

/** Throws a SyntaxError for a line that is not a header. */
export function readProofHeader(line: string): ProofHeader {
  const document = readObject(line);
  const isOfOrganization = document.format === ORGANIZATION_FORMAT;
  if (document.format !== FORMAT && !isOfOrganization) throw new SyntaxError("not the proof of an audit export");
  return {
    ...(isOfOrganization ? { organization: readOrganization(document) } : {}),
    checkpoint: textOf(document.checkpoint),
    treeSize: countOf(document.tree_size),
    from: timeOf(document.from),
    to: timeOf(document.to),
    retainedFrom: timeOf(document.retained_from),
    keptSize: document.kept_size === null ? null : countOf(document.kept_size),
    firstLeaf: countOf(document.first_leaf),
    lastLeaf: document.last_leaf === -1 ? -1 : countOf(document.last_leaf),
    lines: countOf(document.lines),
    leftOut: countOf(document.left_out),
    left: hashesOf(document.left),
    right: hashesOf(document.right),
  };
}

function readOrganization(document: Readonly<Record<string, unknown>>): OrganizationHeader {
  const { organization_id, other, nobody, statement } = document;
  const organizationId = textOf(organization_id);
  if (!UUID.test(organizationId)) throw new SyntaxError("not an organization");
  return { organizationId, other: countOf(other), nobody: countOf(nobody), statement: textOf(statement) };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A tree of 2^53 leaves has no higher level. */
const LEVEL_MAX = 52;

/**
 * An entry in the proof of a single organization: a leaf (see `readProofEntry`), or a subtree of other organizations.
 * Throws a SyntaxError for any other line.
 */
export function readOrganizationEntry(line: string): ProofEntry | ProofSubtree {
  if (!line.startsWith("{")) return readProofEntry(line);
  const { leaf, level, hash, of } = readObject(line);
  const subtree = { leaf: countOf(leaf), level: countOf(level), hash: hashOf(hash) };
  if (subtree.level > LEVEL_MAX || subtree.leaf % 2 ** subtree.level !== 0) throw new SyntaxError("not a subtree");
  if (of !== "other" && of !== "nobody") throw new SyntaxError("not a subtree of others");
  return { ...subtree, of };
}

/**
 * `[leaf, id, hash]`, and for a leaf without a line `[leaf, id, hash, record]`. Throws a SyntaxError for any other
 * line.
 */
export function readProofEntry(line: string): ProofEntry {
  const entry: unknown = parseJson(line);
  if (!Array.isArray(entry) || entry.length < 3 || entry.length > 4) throw new SyntaxError("not an entry of a proof");
  const [leaf, id, hash, record] = entry;
  const known = { leaf: countOf(leaf), id: countOf(id), hash: hashOf(hash) };
  return entry.length === 3 ? known : { ...known, leftOut: record === null ? null : objectOf(record) };
}

function readObject(line: string): Readonly<Record<string, unknown>> {
  return objectOf(parseJson(line));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("not an object");
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new SyntaxError("not a text");
  return value;
}

function timeOf(value: unknown): string | null {
  if (value === null) return null;
  if (!isTime(value)) throw new SyntaxError("not a time");
  return value;
}

function countOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new SyntaxError("not a count");
  return value;
}

/** Far more subtrees than a tree of 2^53 leaves needs. */
const HASHES_MAX = 300;

function hashesOf(value: unknown): readonly Uint8Array[] {
  if (!Array.isArray(value) || value.length > HASHES_MAX) throw new SyntaxError("not a list of hashes");
  return value.map(hashOf);
}

function hashOf(value: unknown): Uint8Array {
  const hash = fromBase64(textOf(value));
  if (hash?.length !== 32) throw new SyntaxError("not a hash");
  return hash;
}
