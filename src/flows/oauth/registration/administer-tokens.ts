/** Initial access tokens for registrations, by platform administrators (docs/contract.md, section 23.17). */
import { NAME_FLAW, normalizeName } from "../../../base/display-name.ts";
import { invalidFields } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { DAY_MS } from "../../../base/time-units.ts";
import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { StoreDeps } from "../../../deps.ts";
import { OAUTH_SECRET_BYTES, REGISTRATION_TOKENS_MAX } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { sha256 } from "../../../models/oauth-client/client-secret.ts";
import {
  deleteRegistrationToken,
  insertRegistrationToken,
  listRegistrationTokens,
  type RegistrationToken,
} from "../../../models/oauth-client/registration-token.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";
import { lockCredential, programCredentialId } from "../../steps/credentials/lock-credential.ts";

const NO_SUCH_TOKEN = refusal("not_found", "There is no such token.");
const TOO_MANY = refusal("conflict", `There are already ${REGISTRATION_TOKENS_MAX} tokens.`);

interface Administration {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
}

export async function listTokens(
  deps: StoreDeps,
  { page }: { readonly caller: PlatformCaller; readonly page: Page },
): Promise<Listing<RegistrationToken>> {
  const found = await deps.database.run("oauth_registration_token.list", (sql) =>
    listRegistrationTokens(sql, pageBounds(page)),
  );
  return { ...page, ...found };
}

export interface CreateTokenInput extends Administration {
  readonly name: string;
  readonly maxUses: number;
  readonly lifetimeDays: number;
}

/** Creates a token; the response alone contains the text. */
export async function createToken(
  deps: StoreDeps,
  { name: text, maxUses, lifetimeDays, ...by }: CreateTokenInput,
): Promise<
  Result<
    { readonly token: RegistrationToken; readonly text: string },
    Refusal<"authentication_required" | "conflict" | "invalid_input">
  >
> {
  const name = normalizeName(text);
  if (name === undefined) return err(invalidFields([{ field: "name", ...NAME_FLAW }]));
  const createdAt = new Date(deps.clock.now());
  const secret = deps.random.bytes(OAUTH_SECRET_BYTES).toString("base64url");
  const expiresAt = new Date(createdAt.getTime() + lifetimeDays * DAY_MS);
  const token = { id: deps.random.uuid(), name, maxUses, createdAt, expiresAt };
  const { credential } = by.caller;
  const stored = { ...token, tokenHash: sha256(secret), createdByCredential: programCredentialId(credential) };
  const event = auditOf(deps, by, "oauth.registration_token.created", token.id, createdAt);
  return await deps.database.transaction("oauth_registration_token.insert", async (sql) => {
    const locked = await lockCredential(sql, credential, createdAt);
    if (!locked.ok) return locked;
    const rows = await sql`
      with created as (${insertRegistrationToken(sql, stored, REGISTRATION_TOKENS_MAX)}),
      audit as (${insertAudit(sql, event, sql`from created`)})
      select 1 from created`;
    return rows.length === 0 ? err(TOO_MANY) : ok({ token: { ...token, uses: 0 }, text: secret });
  });
}

/** Deletes a token. Clients that registered with the token stay. */
export async function removeToken(
  deps: StoreDeps,
  { id, ...by }: Administration & { readonly id: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const event = auditOf(deps, by, "oauth.registration_token.deleted", id, new Date(deps.clock.now()));
  const rows = await deps.database.run(
    "oauth_registration_token.delete",
    (sql) => sql`
      with deleted as (${deleteRegistrationToken(sql, id)}),
      audit as (${insertAudit(sql, event, sql`from deleted`)})
      select 1 from deleted`,
  );
  return rows.length === 0 ? err(NO_SUCH_TOKEN) : ok(undefined);
}

function auditOf(
  deps: StoreDeps,
  { caller, client }: Administration,
  action: Extract<AuditAction, `oauth.registration_token.${string}`>,
  id: string,
  at: Date,
) {
  return userAuditEvent(deps, caller.actor, client, { action, at, resource: { type: "oauth_registration_token", id } });
}
