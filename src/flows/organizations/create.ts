import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization, type Tier } from "../../models/organization/organization.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { insertUser } from "../../models/user/user.ts";
import {
  createOrganizationWithOwner,
  type NewOrganizationInput,
  type OrganizationToCreate,
} from "../steps/accounts/create-organization.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { permitAddress } from "../steps/authorization/protected-users.ts";
import { issueVerification } from "../steps/email/issue-mailed-link.ts";

export interface ProvisionInput {
  /** Holds `organizations.write`. */
  readonly caller: PlatformCaller;
  readonly organization: NewOrganizationInput;
  readonly tier: Tier | undefined;
  readonly client: RequestContext;
}

export interface Provisioned {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly slug: string;
}

/** POST /v1/admin/orgs (docs/contract.md, section 14.3): an organization with its first owner, in one statement. */
export async function provisionOrganization(
  deps: SignInDeps,
  input: ProvisionInput,
): Promise<Result<Provisioned, Refusal<"conflict" | "forbidden" | "invalid_input" | "rate_limited">>> {
  const { organization, client } = input;
  const email = normalizeEmail(organization.email);
  const permitted = email === undefined ? ok(undefined) : permitAddress(deps, input.caller, email);
  if (!permitted.ok) return permitted;
  const request = { organization, prefix: "owner_", client } as const;
  return await createOrganizationWithOwner(deps, request, (toCreate) => persistOrganization(deps, input, toCreate));
}

async function persistOrganization(
  deps: SignInDeps,
  { caller, tier = deps.config.defaultTier, client }: ProvisionInput,
  { application, slug, passwordHash }: OrganizationToCreate,
): Promise<Result<Provisioned, never>> {
  const { organizationName: name, email, displayName } = application;
  const [organizationId, userId] = [deps.random.uuid(), deps.random.uuid()];
  const at = new Date(deps.clock.now());
  const user = { id: userId, email, passwordHash, displayName, locale: null, organizationId, at };
  const owner = { email, isMailboxOwner: false, displayName, locale: null, timeZone: null };
  const { token, mail } = issueVerification(deps, { userId, to: owner, tenants: undefined, client, at });
  const entry = userAuditEvent(deps, { ...caller.actor, organizationId }, client, {
    action: "organization.created",
    at,
    resource: { type: "organization", id: organizationId },
    metadata: { owner_user_id: userId, tier },
  });
  await deps.database.run(
    "organization.provision",
    (sql) => sql`
      with organization as (${insertOrganization(sql, { id: organizationId, name, slug, tier, at })}),
      person as (${insertUser(sql, user)}),
      home as (${insertMember(sql, { organizationId, userId, role: "owner", at })}),
      verification as (${replaceMailedToken(sql, token)}),
      email as (${insertEmail(sql, mail)})
      ${insertAudit(sql, entry, sql``)}`,
  );
  deps.outbox.wake();
  return ok({ organizationId, ownerUserId: userId, slug });
}
