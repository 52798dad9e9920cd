import { sql } from "drizzle-orm";
import { pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { xid8 } from "./types.ts";

/**
 * Organizations with an active connection in which the power of a person changed: bound sessions of members above the
 * person behind the connection end (docs/contract.md, section 29.12). Written by triggers, one row for each
 * transaction; deleted after the check. No foreign key: the erasure of an organization changes power too.
 */
export const powerChecks = pgTable(
  "power_checks",
  {
    organizationId: uuid("organization_id").notNull(),
    /** The writing transaction: transactions do not wait for the rows of one another. */
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [primaryKey({ name: "power_checks_pkey", columns: [table.organizationId, table.xid] })],
);
