/**
 * The Merkle tree of RFC 6962, section 2.1. A node is the root of a complete subtree: the node of level l and index i
 * covers the leaves i * 2^l to (i + 1) * 2^l - 1.
 */
import { type Sha256, sha256 } from "./sha256.ts";

export const HASH_BYTES = 32;

/** The position of a complete subtree. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** A subtree on the left of a tree, by level and hash. */
interface Peak {
  readonly level: number;
  readonly hash: Uint8Array;
}

/** SHA-256 of 0x00 and the data. */
export function leafHash(data: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const input = new Uint8Array(1 + data.length);
  input.set(data, 1);
  return hash(input);
}

/** SHA-256 of 0x01, the left and the right subtree. */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const input = new Uint8Array(1 + 2 * HASH_BYTES);
  input[0] = 1;
  input.set(left, 1);
  input.set(right, 1 + HASH_BYTES);
  return hash(input);
}

/** The fewest complete subtrees that cover the leaves from `begin` up to, but without, `end`; from left to right. */
export function coveringNodes(begin: number, end: number): Node[] {
  const nodes: Node[] = [];
  for (let at = begin; at < end; ) {
    let level = 0;
    let width = 1;
    while (at % (2 * width) === 0 && at + 2 * width <= end) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** A tree that grows from left to right and holds a hash for every set bit of the size. */
export class GrowingTree {
  readonly #hash: Sha256;
  #peaks: Peak[] = [];
  #size = 0;

  constructor(hash: Sha256 = sha256) {
    this.#hash = hash;
  }

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Appends a complete subtree. The level must fit the size, as the levels of `coveringNodes` do. */
  append(hash: Uint8Array, level = 0): void {
    const width = 2 ** level;
    if (this.#size % width !== 0) throw new RangeError("the subtree does not begin here");
    this.#size += width;
    let peak: Peak = { level, hash };
    for (let last = this.#peaks.at(-1); last?.level === peak.level; last = this.#peaks.at(-1)) {
      this.#peaks.pop();
      peak = { level: peak.level + 1, hash: nodeHash(last.hash, peak.hash, this.#hash) };
    }
    this.#peaks.push(peak);
  }

  /** The root of the leaves so far; of an empty tree, the hash of the empty string. */
  root(): Uint8Array {
    const last = this.#peaks.at(-1);
    if (!last) return this.#hash(new Uint8Array());
    return this.#peaks.slice(0, -1).reduceRight((right, { hash }) => nodeHash(hash, right, this.#hash), last.hash);
  }
}

/**
 * The subtrees of the consistency proof from a tree of `from` leaves to a tree of `to` (section 2.1.2), in proof order;
 * the list is empty if a tree is empty or the sizes are equal.
 */
export function consistencyNodes(from: number, to: number): Node[][] {
  if (from === 0 || from === to) return [];
  return subproof(from, 0, to, true);
}

/** The subtrees of the proof that a leaf is in a tree (section 2.1.1), in proof order, as in `consistencyNodes`. */
export function inclusionNodes(leaf: number, size: number): Node[][] {
  const path: Node[][] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + largestPowerBelow(end - begin);
    path.push(leaf < middle ? coveringNodes(middle, end) : coveringNodes(begin, middle));
    [begin, end] = leaf < middle ? [begin, middle] : [middle, end];
  }
  return path.reverse();
}

/** Every element is the nodes whose joint hash is a hash of the proof: an incomplete subtree has several nodes. */
function subproof(from: number, begin: number, end: number, wholeOld: boolean): Node[][] {
  if (from === end) return wholeOld ? [] : [coveringNodes(begin, end)];
  const middle = begin + largestPowerBelow(end - begin);
  if (from <= middle) return [...subproof(from, begin, middle, wholeOld), coveringNodes(middle, end)];
  return [...subproof(from, middle, end, false), coveringNodes(begin, middle)];
}

function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

/** The joint hash of neighbouring subtrees, from `coveringNodes`. */
export function jointHash(hashes: readonly Uint8Array[], hash: Sha256 = sha256): Uint8Array {
  const last = hashes.at(-1);
  if (!last) throw new RangeError("no subtree");
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right, hash), last);
}

/** Whether a leaf is in a tree of the given size and root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  leaf: { readonly index: number; readonly hash: Uint8Array },
  tree: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(leaf.index) || !isCount(tree.size) || leaf.index >= tree.size) return false;
  if (proof.length > PROOF_MAX_HASHES || ![leaf.hash, ...proof].every(isHash)) return false;
  let [index, last, found] = [leaf.index, tree.size - 1, leaf.hash];
  for (const other of proof) {
    if (last === 0) return false;
    if (index % 2 === 1 || index === last) {
      found = nodeHash(other, found);
      while (index % 2 === 0 && index !== 0) [index, last] = [index / 2, Math.floor(last / 2)];
    } else found = nodeHash(found, other);
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return last === 0 && sameBytes(found, tree.root);
}

/** Whether the second tree extends the first one (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(
  first: { readonly size: number; readonly root: Uint8Array },
  second: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(first.size) || !isCount(second.size) || first.size > second.size) return false;
  if (proof.length > PROOF_MAX_HASHES || ![first.root, second.root, ...proof].every(isHash)) return false;
  if (first.size === second.size) return proof.length === 0 && sameBytes(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && sameBytes(first.root, sha256(new Uint8Array()));
  const isPower = coveringNodes(0, first.size).length === 1;
  const [start, ...rest] = isPower ? [first.root, ...proof] : proof;
  if (!start) return false;
  let [index, last] = [first.size - 1, second.size - 1];
  while (index % 2 === 1) [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  let [older, newer] = [start, start];
  for (const other of rest) {
    if (last === 0) return false;
    if (index % 2 === 1 || index === last) {
      [older, newer] = [nodeHash(other, older), nodeHash(other, newer)];
      while (index % 2 === 0 && index !== 0) [index, last] = [index / 2, Math.floor(last / 2)];
    } else newer = nodeHash(newer, other);
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return last === 0 && sameBytes(older, first.root) && sameBytes(newer, second.root);
}

/** More than a tree of 2^53 leaves has levels, twice. */
const PROOF_MAX_HASHES = 128;

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(value: Uint8Array): boolean {
  return value instanceof Uint8Array && value.length === HASH_BYTES;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
