/** The removal of a passkey or a linked account by an administrator or a program (docs/contract.md, section 36.2). */
import { inertName } from "../../base/display-name.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { type EmailContent, insertEmail } from "../../models/email/email.ts";
import { deleteIdentity, findIdentity, hashIdentity, rememberUnlinked } from "../../models/identity/identity.ts";
import { deletePasskey, findPasskeyName } from "../../models/passkey/passkey.ts";
import { findRecipient, renewCredentialsEpoch } from "../../models/user/user.ts";
import { keepBreakGlass } from "../steps/accounts/keep-break-glass.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { type AdministerUser, administerUnderLock } from "./administer.ts";

export interface RemoveCredential extends AdministerUser {
  /** The id of the passkey or of the linked account. */
  readonly id: string;
}

type Removed = Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>>;

const NO_PASSKEY = refusal("not_found", "There is no such passkey.");
const NO_IDENTITY = refusal("not_found", "There is no such linked provider.");

/** DELETE /v1/admin/users/:id/passkeys/:passkey_id: also the last way to sign in; the user resets by email. */
export async function removePasskey(deps: SignInDeps, input: RemoveCredential): Removed {
  const { userId, id, caller, client } = input;
  let name: string | undefined;
  const guard = async (sql: Sql): Promise<Result<void, Refusal<"conflict" | "not_found">>> => {
    name = await findPasskeyName(sql, id, userId);
    return name === undefined ? err(NO_PASSKEY) : await keepBreakGlass(sql, userId, { passkeyId: id });
  };
  const outcome = await administerUnderLock(deps, input, guard, async (sql, at) => {
    const values = { ...noticeDetails(client, at), passkey_name: inertName(name ?? "") };
    const mail = await noticeTo(deps, sql, input, { kind: "passkey_removed", values }, at);
    const resource = { type: "passkey", id } as const;
    const entry = userAuditEvent(deps, caller.actor, client, { action: "auth.passkey.deleted", at, resource });
    await sql`
      with deleted as (${deletePasskey(sql, id, userId, at)}),
      person as (${renewCredentialsEpoch(sql, userId, at, sql`from deleted`)}),
      email as (${insertEmail(sql, mail, sql`from deleted`)})
      ${insertAudit(sql, entry, sql`from deleted`)}`;
    return [];
  });
  if (outcome.ok) deps.outbox.wake();
  return outcome;
}

/** DELETE /v1/admin/users/:id/identities/:identity_id: a keyed hash of the identity remains, as after an unlinking. */
export async function removeIdentity(deps: SignInDeps, input: RemoveCredential): Removed {
  const { userId, id, caller, client } = input;
  let identity: Awaited<ReturnType<typeof findIdentity>>;
  const guard = async (sql: Sql): Promise<Result<void, Refusal<"not_found">>> => {
    identity = await findIdentity(sql, id, userId);
    return identity ? ok(undefined) : err(NO_IDENTITY);
  };
  const outcome = await administerUnderLock(deps, input, guard, async (sql, at) => {
    if (!identity) return [];
    const { provider } = identity;
    const values = { ...noticeDetails(client, at), provider: deps.identityProviders.name(provider) };
    const mail = await noticeTo(deps, sql, input, { kind: "identity_unlinked", values }, at);
    const event = { action: "auth.identity.unlinked", at, resource: { type: "user", id: userId } } as const;
    const entry = userAuditEvent(deps, caller.actor, client, { ...event, metadata: { provider } });
    const from = sql`from unlinked`;
    await sql`
      with unlinked as (${deleteIdentity(sql, id, userId)}),
      account as (${renewCredentialsEpoch(sql, userId, at, from)}),
      email as (${insertEmail(sql, mail, from)})
      ${insertAudit(sql, entry, from)}`;
    await rememberUnlinked(sql, userId, hashIdentity(deps.addressKey, identity), at);
    return [];
  });
  if (outcome.ok) deps.outbox.wake();
  return outcome;
}

async function noticeTo(
  deps: SignInDeps,
  sql: Sql,
  { userId, client }: RemoveCredential,
  mail: EmailContent,
  at: Date,
) {
  const to = await findRecipient(sql, userId);
  if (!to) throw new Error("the user row disappeared while it was locked");
  return composeEmail(deps, { to, mail, tenants: undefined, client, at });
}
