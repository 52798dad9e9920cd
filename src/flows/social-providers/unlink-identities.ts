import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import type { EmailDeps } from "../../deps.ts";
import { SOCIAL_UNLINKED_AT_ONCE } from "../../limits/social-provider-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteIdentity, listFormerIdentities } from "../../models/identity/identity.ts";
import { findRecipient, lockUser, renewCredentialsEpoch } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";

interface UnlinkInput {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly provider: string;
  /** The name of the provider in the notice. */
  readonly name: string;
  /** Identities of this epoch stay; null: every identity ends. */
  readonly keptEpoch: number | null;
}

/**
 * Ends the identities of a provider in bounded transactions; each user gets the notice `identity_unlinked`. A call that
 * failed half way can be repeated: the remaining identities match no subject.
 */
export async function unlinkIdentitiesOf(deps: EmailDeps, input: UnlinkInput): Promise<void> {
  let ended = SOCIAL_UNLINKED_AT_ONCE;
  while (ended === SOCIAL_UNLINKED_AT_ONCE) {
    ended = await deps.database.transaction("identity.unlink_former", (sql) => unlinkBatch(deps, sql, input));
    if (ended > 0) deps.outbox.wake();
  }
}

async function unlinkBatch(deps: EmailDeps, sql: Sql, input: UnlinkInput): Promise<number> {
  const { provider, keptEpoch } = input;
  const found = await listFormerIdentities(sql, { provider, keptEpoch, limit: SOCIAL_UNLINKED_AT_ONCE });
  for (const { id, userId } of found) await unlink(deps, sql, { ...input, id, userId });
  return found.length;
}

async function unlink(
  deps: EmailDeps,
  sql: Sql,
  { caller, client, provider, name, id, userId }: UnlinkInput & { readonly id: string; readonly userId: string },
): Promise<void> {
  await lockUser(sql, userId);
  const to = await findRecipient(sql, userId);
  if (!to) return;
  const at = new Date(deps.clock.now());
  const values = { ...noticeDetails(client, at), provider: name };
  const mail = composeEmail(deps, {
    ...{ to, mail: { kind: "identity_unlinked", values }, tenants: undefined, client, at },
  });
  const resource = { type: "user", id: userId } as const;
  const event = { action: "auth.identity.unlinked", at, resource, metadata: { provider } } as const;
  const from = sql`from unlinked`;
  await sql`
    with unlinked as (${deleteIdentity(sql, id, userId)}),
    account as (${renewCredentialsEpoch(sql, userId, at, from)}),
    email as (${insertEmail(sql, mail, from)})
    ${insertAudit(sql, userAuditEvent(deps, caller.actor, client, event), from)}`;
}
