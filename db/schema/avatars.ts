import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** Avatars, where no S3-compatible store is configured. */
export const avatars = pgTable("avatars", {
  /** Hexadecimal. */
  hash: text().primaryKey(),
  /** WebP, 256 by 256. */
  content: bytea().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
