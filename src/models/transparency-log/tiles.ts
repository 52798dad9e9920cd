import { createHash } from "node:crypto";
import { canonicalize } from "../../../clients/js/src/audit/jcs.ts";
import {
  coveringNodes,
  GrowingTree,
  HASH_BYTES,
  leafHash,
  type Node,
  sameBytes,
} from "../../../clients/js/src/audit/merkle.ts";

/** c2sp.org/tlog-tiles: a tile holds 256 hashes, so each level of tiles is eight levels of the tree. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
/** Tiles of a tree of 2^53 leaves, the largest that JavaScript counts. */
export const TILE_LEVELS = 7;

/** Part of a row of `transparency_tiles`. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 1 to 256 hashes of 32 bytes. */
  readonly hashes: Uint8Array;
  /** The row of each leaf; empty above level 0. */
  readonly rowIds: readonly number[];
}

export interface Leaf {
  readonly rowId: number;
  readonly hash: Uint8Array;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** The leaf of an audit record, as an export has it (docs/contract.md, section 17.6). */
export function leafOf(record: string): Uint8Array {
  return leafHash(new TextEncoder().encode(canonicalize(record)), sha256);
}

/** The root of the tree without leaves. */
export const EMPTY_ROOT = sha256(new Uint8Array());

/** A tree: the tiles that are not full are sufficient to append. */
export interface TreeEdge {
  readonly size: number;
  readonly root: Uint8Array;
  readonly edge: readonly Tile[];
}

/**
 * Appends leaves to a tree. Returns the changed tiles, whole, and the new edge and root. Throws if the edge does not
 * match the root: a tile was changed.
 */
export function growTiles(
  tree: TreeEdge,
  leaves: readonly Leaf[],
): Omit<TreeEdge, "size"> & { readonly changed: readonly Tile[] } {
  const open = new Map(tree.edge.map((tile) => [tile.level, growing(tile)]));
  if (!sameBytes(rootOfEdge([...open.values()]), tree.root))
    throw new Error("tiles of the transparency log were changed");
  const changed: Tile[] = [];
  const append = (level: number, hash: Uint8Array, rowId?: number): void => {
    const tile = open.get(level) ?? growing({ level, index: firstIndex(tree.size, level) });
    tile.changed = true;
    tile.hashes.push(hash);
    if (rowId !== undefined) tile.rowIds.push(rowId);
    open.set(level, tile);
    if (tile.hashes.length < TILE_WIDTH) return;
    changed.push(closed(tile));
    open.set(level, growing({ level, index: tile.index + 1 }));
    append(level + 1, rootOf(tile.hashes));
  };
  for (const { hash, rowId } of leaves) append(0, hash, rowId);
  const tiles = [...open.values()].filter(({ hashes }) => hashes.length > 0);
  changed.push(...tiles.filter((tile) => tile.changed).map(closed));
  return { changed, edge: tiles.map(closed), root: rootOfEdge(tiles) };
}

interface GrowingTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array[];
  readonly rowIds: number[];
  changed: boolean;
}

function growing(tile: Pick<Tile, "level" | "index"> & Partial<Tile>): GrowingTile {
  const { level, index, hashes = new Uint8Array(), rowIds = [] } = tile;
  return { level, index, hashes: split(hashes), rowIds: [...rowIds], changed: false };
}

function closed({ level, index, hashes, rowIds }: GrowingTile): Tile {
  return { level, index, hashes: Buffer.concat(hashes), rowIds };
}

/** The tile of a level to which a tree of that size appends. */
function firstIndex(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** (level + 1));
}

/** The tiles that are not full hold all subtrees that no greater subtree covers, the greatest highest up. */
function rootOfEdge(tiles: readonly GrowingTile[]): Uint8Array {
  const tree = new GrowingTree(sha256);
  for (const { level, hashes } of tiles.toSorted((a, b) => b.level - a.level)) {
    for (const hash of hashes) tree.append(hash, level * TILE_HEIGHT);
  }
  return tree.root();
}

function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new GrowingTree(sha256);
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}

/** The tile with the hashes below a node, and the range in the tile. */
export interface TilePart {
  readonly level: number;
  readonly index: number;
  readonly begin: number;
  readonly end: number;
}

export function tilePartOf(node: Node): TilePart {
  const level = Math.floor(node.level / TILE_HEIGHT);
  const width = 2 ** (node.level % TILE_HEIGHT);
  const first = node.index * width;
  const index = Math.floor(first / TILE_WIDTH);
  const begin = first - index * TILE_WIDTH;
  return { level, index, begin, end: begin + width };
}

/** The hash of a node, from the tile. Throws if the tile lacks the hash. */
export function hashIn(hashes: Uint8Array, { begin, end }: TilePart): Uint8Array {
  const below = split(hashes.subarray(begin * HASH_BYTES, end * HASH_BYTES));
  if (below.length !== end - begin) throw new Error("a tile of the transparency log is too short");
  return rootOf(below);
}

/** The root of the first `size` leaves, from the hashes of their `coveringNodes`. */
export function rootOfNodes(size: number, hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new GrowingTree(sha256);
  coveringNodes(0, size).forEach(({ level }, index) => {
    tree.append(hashes[index] ?? new Uint8Array(), level);
  });
  return tree.root();
}

function split(hashes: Uint8Array): Uint8Array[] {
  return Array.from({ length: hashes.length / HASH_BYTES }, (_, index) =>
    hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}
