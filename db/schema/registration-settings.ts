import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, timestamp } from "drizzle-orm/pg-core";

/** How users register (docs/contract.md, chapter 37). At most one row; without a row the environment decides. */
export const registrationSettings = pgTable(
  "registration_settings",
  {
    /** True in the only row. */
    id: boolean().primaryKey(),
    /** The members of PUT /admin/registration. Absent members have the defaults of the mode. */
    settings: jsonb().notNull(),
    /** Incremented by every write, so that a replica can order two reads. */
    revision: integer().notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  () => [check("registration_settings_single_check", sql`id`)],
);
