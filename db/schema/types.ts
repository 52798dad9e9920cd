import { sql } from "drizzle-orm";
import { customType, text } from "drizzle-orm/pg-core";

/** Column types of PostgreSQL that drizzle does not provide. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
/** A transaction id that never wraps around (PostgreSQL manual, section 8.19). */
export const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });

/** `traceparent` of the request that causes a delivery; the statements of audit records set it (models/audit). */
export const causingTrace = () =>
  text("traceparent").default(sql`nullif(current_setting('service.traceparent', true), '')`);
