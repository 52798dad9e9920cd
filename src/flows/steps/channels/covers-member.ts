import type { Sql } from "../../../database/database.ts";
import { findConnectionHolder } from "../../../models/channel/channel-holder.ts";
import { findPower } from "../../../models/member/members.ts";
import { mayChange } from "../../../vocabulary/member-power.ts";
import { powerOfHolder } from "../power/holder-power.ts";

/** A connection with the user who activated the connection. */
interface ActivatedConnection {
  readonly id: string;
  readonly organizationId: string;
  readonly activatedBy: string | null;
}

/** Whether the person behind a connection has every permission of a member (docs/contract.md, section 29.12). */
export async function coversMember(sql: Sql, connection: ActivatedConnection, userId: string): Promise<boolean> {
  const [holder, member] = await Promise.all([
    findConnectionHolder(sql, connection),
    findPower(sql, connection.organizationId, userId),
  ]);
  return holder !== undefined && member !== undefined && mayChange(powerOfHolder(holder), member);
}
