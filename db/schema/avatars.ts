import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** Pictures of users where no S3-compatible store is set, each once, under the SHA-256 of its bytes. */
export const avatars = pgTable("avatars", {
  /** Hexadecimal. */
  hash: text().primaryKey(),
  /** WebP, 256 by 256. */
  content: bytea().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
