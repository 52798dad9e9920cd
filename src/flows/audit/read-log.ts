import { cosignersOf } from "../../../clients/js/src/audit/note.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findTile } from "../../models/transparency-log/transparency-log.ts";

/**
 * GET /v1/audit-log/checkpoint (docs/contract.md, section 17.6): the newest published checkpoint. `cosigned`: the
 * newest checkpoint with enough cosignatures, at least the quorum and at least 1.
 */
export function readCheckpoint(
  { auditLog }: Pick<Deps, "auditLog">,
  cosigned: boolean,
): Result<{ readonly note: string; readonly cosignatures: number }, Refusal<"not_found">> {
  const published = cosigned ? auditLog.cosigned() : auditLog.published();
  if (!published) return err(refusal("not_found", "There is no such checkpoint yet."));
  return ok({ note: published.note, cosignatures: cosignersOf(published.note).length });
}

/**
 * The path of a tile (c2sp.org/tlog-tiles): level, index in groups of three digits (all groups except the last begin
 * with an x), and the width of a partial tile. The last part of the log's name may precede the path.
 */
const TILE_PATH = /^(?:([0-9a-f]{8,16})\/)?(\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;
const TILE_WIDTH = 256;

export interface TileHashes {
  /** 1 to 256 hashes of 32 bytes. */
  readonly hashes: Buffer;
  /** The path names the log, so the hashes at this path never change. */
  readonly immutable: boolean;
}

/** GET /v1/audit-log/tile/… (docs/contract.md, section 17.6). */
export async function readTile(
  { database }: Pick<Deps, "database">,
  path: string,
): Promise<Result<TileHashes, Refusal<"not_found">>> {
  const [, name, level, groups = "", partial] = TILE_PATH.exec(path) ?? [];
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const nothing = refusal("not_found", "There is no such tile.");
  // Each tile has exactly one path.
  if (level === undefined || groups.startsWith("x000") || Number(partial) >= TILE_WIDTH) return err(nothing);
  const index = Number(groups.replace(/[x/]/g, ""));
  const tile = { name, level: Number(level), index, width };
  const hashes = await database.run("transparency_tile.find", (sql) => findTile(sql, tile));
  return hashes ? ok({ hashes, immutable: name !== undefined }) : err(nothing);
}
