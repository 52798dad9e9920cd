import type { Fragment, Sql } from "../../database/database.ts";

/** A secret of an authenticator app that waits for its first code. */
export interface PendingSecret {
  readonly sealedSecret: Buffer;
  readonly at: Date;
  /** The session of the set-up: a secret of another session is replaced, so that no session reads or plants it. */
  readonly sessionId: string;
  /** An unconfirmed secret of the same session that is younger stays in place of the new secret. */
  readonly keepSince: Date;
}

/** Assignments of an upsert over a factor with the alias `f`: the kept secret, or the new secret. */
export function keptOrReplaced(sql: Sql, { keepSince, sessionId }: PendingSecret): Fragment {
  const isKept = sql`f.created_at > ${keepSince} and f.session_id = ${sessionId}::uuid`;
  return sql`
    sealed_secret = case when ${isKept} then f.sealed_secret else excluded.sealed_secret end,
    created_at = case when ${isKept} then f.created_at else excluded.created_at end,
    session_id = excluded.session_id`;
}
