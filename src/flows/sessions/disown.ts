import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { consumeNotices, findOpenNotice } from "../../models/session/sign-in-notice.ts";
import { lockControlState } from "../../models/user/control.ts";
import { findOwner, type Owner } from "../../models/user/user.ts";
import { findConfirmedChangeSince, voidChangesSince } from "../../models/user-email/email-change.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { endAndRecordCredentials } from "../steps/credentials/end-credentials.ts";
import { followRevertLink, type RevertLink } from "../steps/credentials/revert-link.ts";
import { restoreAddress } from "../user-emails/move-address.ts";

export interface DisownInput {
  readonly token: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/auth/sign-in/not-me (docs/contract.md, section 12.15): the mailbox of the user disowns a sign-in. Ends all
 * sessions, trusted browsers, tokens and codes, removes the password, and removes what was set up since the sign-in.
 */
export async function disownSignIn(
  deps: SignInDeps,
  { token, client }: DisownInput,
): Promise<Result<void, Refusal<"authentication_required" | "invalid_input">>> {
  return await followRevertLink(deps, token, (link) =>
    deps.database.transaction("session.disown", (sql) => disown(deps, sql, link, client)),
  );
}

/** Undefined: the link is unknown, used or expired. */
async function disown(
  deps: SignInDeps,
  sql: Sql,
  { tokenHash, at }: RevertLink,
  client: RequestContext,
): Promise<readonly SessionEvent[] | undefined> {
  const found = await findOpenNotice(sql, tokenHash, at);
  const before = found && (await lockControlState(sql, found.userId));
  // Read again under the lock of the user: a concurrent request has consumed the link.
  const notice = before && (await findOpenNotice(sql, tokenHash, at));
  if (!notice) return undefined;
  const { userId, signedInAt: since } = notice;
  await consumeNotices(sql, userId);
  const owner = await findOwner(sql, userId);
  await recordAudit(sql, userAuditEvent(deps, owner, client, { action: "auth.sign_in.disowned", at }));
  await revertChanges(sql, owner, since, at);
  const reason = "sign_in_disowned";
  const end = { proof: { kind: reason }, reason, period: { since }, before, client, at } as const;
  return await endAndRecordCredentials(deps, sql, owner, end);
}

/** Voids requests for addresses, and restores the primary address of before the first confirmed request. */
async function revertChanges(sql: Sql, owner: Owner, since: Date, at: Date): Promise<void> {
  const change = await findConfirmedChangeSince(sql, owner.userId, since);
  if (change) await restoreAddress(sql, owner, change, at);
  await voidChangesSince(sql, owner.userId, since);
}
