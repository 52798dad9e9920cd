import { createHash } from "node:crypto";
import type { signInNotices } from "../../../db/schema/sessions.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import { detectDevice } from "../../vocabulary/device.ts";
import type { RevocationReason } from "./revocation.ts";

type SignInNoticeRow = RowOf<typeof signInNotices>;

/** Version numbers change with every update of a browser. */
const VERSIONS = "[0-9][0-9._]*";
const DISOWNED: RevocationReason = "sign_in_disowned";

export interface NewSignInNotice extends Pick<SignInNoticeRow, "userId" | "signedInAt" | "expiresAt"> {
  readonly tokenHash: Buffer;
  readonly userAgent: string | null;
}

/** Identifies a browser of a known name across updates, and any other client by the whole user agent. */
function hashBrowser(userAgent: string | null): Buffer {
  const text = userAgent ?? "";
  const stable = isKnownBrowser(userAgent) ? text.replace(new RegExp(VERSIONS, "g"), "") : text;
  return createHash("sha256").update(stable).digest();
}

function isKnownBrowser(userAgent: string | null): boolean {
  return detectDevice(userAgent).browser !== null;
}

/**
 * CTE fragment of the sign-in statement, for the row of `account`: one row if the user is to be notified. The first
 * session of a user, a browser of an earlier session, and a browser with a notice of the same day have no row. The
 * statement holds the lock of the user, so that of concurrent sign-ins one has the row. Sessions that ended because the
 * user disowned a sign-in do not count as earlier sessions.
 */
export function insertSignInNotice(sql: Sql, notice: NewSignInNotice, account: Cte): Fragment {
  return sql`
    insert into sign_in_notices (user_id, browser_hash, token_hash, signed_in_at, expires_at)
    select ${account}.id, ${hashBrowser(notice.userAgent)}::bytea, ${notice.tokenHash}::bytea,
           ${notice.signedInAt}::timestamptz, ${notice.expiresAt}::timestamptz
    from ${account} join users u on u.id = ${account}.id
    where (u.last_login_at > u.created_at or exists (select 1 from sessions where user_id = ${notice.userId}))
      and not exists (
      select 1 from sessions s
      where s.user_id = ${notice.userId} and s.revoked_reason is distinct from ${DISOWNED}
        and ${isSameBrowser(sql, notice.userAgent)}
    )
    on conflict (user_id, browser_hash) do update
      set token_hash = excluded.token_hash, signed_in_at = excluded.signed_in_at, expires_at = excluded.expires_at
      where sign_in_notices.token_hash is null or sign_in_notices.expires_at <= excluded.signed_in_at
    returning user_id`;
}

function isSameBrowser(sql: Sql, userAgent: string | null): Fragment {
  const isSame = sql`s.user_agent is not distinct from ${userAgent}::text`;
  if (!isKnownBrowser(userAgent)) return isSame;
  return sql`(${isSame} or regexp_replace(s.user_agent, ${VERSIONS}, '', 'g')
                           = regexp_replace(${userAgent}::text, ${VERSIONS}, '', 'g'))`;
}

/** A sign-in whose link "This was not me" is neither consumed nor expired. */
export type OpenNotice = Pick<SignInNoticeRow, "userId" | "signedInAt">;

export async function findOpenNotice(sql: Sql, tokenHash: Buffer, at: Date): Promise<OpenNotice | undefined> {
  const [row] = await sql<OpenNotice[]>`
    select user_id as "userId", signed_in_at as "signedInAt" from sign_in_notices
    where token_hash = ${tokenHash} and expires_at > ${at}`;
  return row;
}

/** Consumes the links of a user: after a disowned sign-in the links of all other notices have no further effect. */
export async function consumeNotices(sql: Sql, userId: string): Promise<void> {
  await sql`update sign_in_notices set token_hash = null where user_id = ${userId} and token_hash is not null`;
}

/** Deletes at most `batch` notices whose links expired before `before`; returns how many. */
export const deleteExpiredNotices = deleteRowsBefore("sign_in_notices", "expires_at");
