import type { Sql } from "../../../database/database.ts";
import { findConnectionHolder } from "../../../models/channel/channel-holder.ts";
import { findPower } from "../../../models/member/members.ts";
import { findKeptMemberPower } from "../../../models/sso-identity/kept-power.ts";
import { coversSignIn } from "../power/holder-power.ts";

/** A connection with the user who activated the connection. */
interface ActivatedConnection {
  readonly id: string;
  readonly organizationId: string;
  readonly activatedBy: string | null;
}

/** Whether the power behind a connection covers a member who signs in (docs/contract.md, section 29.12). */
export async function coversMember(sql: Sql, connection: ActivatedConnection, userId: string): Promise<boolean> {
  const [holder, member, kept] = await Promise.all([
    findConnectionHolder(sql, connection),
    findPower(sql, connection.organizationId, userId),
    findKeptMemberPower(sql, connection.id, userId),
  ]);
  return holder !== undefined && member !== undefined && coversSignIn(holder, member, kept);
}
