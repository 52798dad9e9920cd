import { inertName } from "../../base/display-name.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { type Owner, renewCredentialsEpoch } from "../../models/user/user.ts";
import { voidChangesOfAddress } from "../../models/user-email/email-change.ts";
import { deleteUserEmail, findUserEmail, type UserEmail } from "../../models/user-email/user-email.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { type ChangeProblem, changeAddresses, permitRelease } from "./authorize-change.ts";
import { releaseAddress } from "./move-address.ts";
import { type AddressSelection, NO_ADDRESS } from "./switch-primary.ts";

const PRIMARY = refusal("conflict", "Make another email address the primary address first.");

/**
 * DELETE /v1/users/me/emails/:id (docs/contract.md, section 12.14): removes an additional address, with the links and
 * codes of emails. The removed and the primary address get a notice; an address that awaits confirmation gets none.
 */
export async function removeAddress(
  deps: SignInDeps,
  selection: AddressSelection,
): Promise<Result<void, Refusal<ChangeProblem | "forbidden" | "not_found">>> {
  const removed = await changeAddresses(deps, selection, "user_email.remove", async (sql, owner, at) => {
    const address = await findUserEmail(sql, selection.id, owner.userId);
    if (!address) return err(NO_ADDRESS);
    if (address.primary) return err(PRIMARY);
    const permitted = address.verifiedAt ? await permitRelease(sql, owner, address.email) : ok(undefined);
    if (!permitted.ok) return permitted;
    await voidChangesOfAddress(sql, owner.userId, address.email);
    if (address.verifiedAt) await removeVerified(deps, sql, selection, owner, address, at);
    else await deleteUserEmail(sql, owner.userId, address.email);
    return ok(undefined);
  });
  if (removed.ok) deps.outbox.wake();
  return removed;
}

async function removeVerified(
  deps: SignInDeps,
  sql: Sql,
  { caller, client }: AddressSelection,
  owner: Owner,
  { id, email }: UserEmail,
  at: Date,
): Promise<void> {
  await releaseAddress(sql, owner, email, at);
  await renewCredentialsEpoch(sql, owner.userId, at);
  const mail = { kind: "email_removed" as const, values: { ...noticeDetails(client, at), email: inertName(email) } };
  const entry = userAuditEvent(deps, caller, client, {
    action: "user.email.removed",
    at,
    metadata: { address_id: id, email_hash: hashAddress(deps.addressKey, email) },
  });
  const removal = { mail, tenants: { organizationId: caller.organizationId }, client, at };
  const parts = {
    removed: insertEmail(sql, composeEmail(deps, { ...removal, to: { ...owner, email } })),
    primary: insertEmail(sql, composeEmail(deps, { ...removal, to: owner })),
    audit: insertAudit(sql, entry, sql``),
  };
  await sql`${withParts(sql, parts)} select 1`;
}
