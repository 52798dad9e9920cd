import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgTable, primaryKey, smallint, text, timestamp } from "drizzle-orm/pg-core";
import { bytea, xid8 } from "./types.ts";

/** The transparency log of the audit trail (docs/decisions/0018): the state of the log, in one row. */
export const transparencyLog = pgTable("transparency_log", {
  only: boolean().primaryKey().default(true),
  /** The name of the log. A restored backup begins a new name. */
  origin: text().notNull(),
  /** The number of leaves. */
  size: bigint({ mode: "number" }).notNull(),
  rootHash: bytea("root_hash").notNull(),
  /** The position of the last leaf in the trail: transaction id, then row id. */
  lastTransactionId: xid8("last_transaction_id").notNull(),
  lastRowId: bigint("last_row_id", { mode: "number" }).notNull(),
  /** Rows up to this id belong to a database that was restored from a dump; every such row is a leaf. */
  restoredRowId: bigint("restored_row_id", { mode: "number" }).notNull(),
  /** The published signed note, and the size of the tree; null until the first note is signed. */
  checkpoint: text(),
  checkpointSize: bigint("checkpoint_size", { mode: "number" }),
  /**
   * The newest checkpoint with enough cosignatures of witnesses, and the size; null before the first cosigned
   * checkpoint.
   */
  cosignedCheckpoint: text("cosigned_checkpoint"),
  cosignedSize: bigint("cosigned_size", { mode: "number" }),
  /** The size of the checkpoint that was last sent to webhooks, and when. */
  announcedSize: bigint("announced_size", { mode: "number" }),
  announcedAt: timestamp("announced_at", { withTimezone: true }),
});

/** Tiles of the tree (c2sp.org/tlog-tiles). The last one of a level grows up to 256 hashes. */
export const transparencyTiles = pgTable(
  "transparency_tiles",
  {
    level: smallint().notNull(),
    index: bigint({ mode: "number" }).notNull(),
    /** 1 to 256 hashes of 32 bytes. */
    hashes: bytea().notNull(),
    /** The row of each leaf, on level 0. */
    rowIds: bigint("row_ids", { mode: "number" }).array(),
    minRowId: bigint("min_row_id", { mode: "number" }),
    maxRowId: bigint("max_row_id", { mode: "number" }),
  },
  (table) => [
    primaryKey({ name: "transparency_tiles_pkey", columns: [table.level, table.index] }),
    index("transparency_tiles_max_row_id_idx").on(table.maxRowId).where(sql`level = 0`),
  ],
);

/** The Ed25519 key that signs checkpoints, per sealing key (`ring`, as in `signing_keys`). */
export const transparencyKeys = pgTable("transparency_keys", {
  ring: text().primaryKey(),
  publicKey: bytea("public_key").notNull(),
  /** 32 bytes (RFC 8032, section 5.1.5), sealed with AES-256-GCM and bound to the ring. */
  sealedPrivateKey: bytea("sealed_private_key").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
