import type { ClientFacts } from "../../base/client-facts.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization, type Tier } from "../../models/organization/organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import { insertUser } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { type FoundingInput, found, type Settlement } from "../steps/new-organization.ts";
import { requirePlatformRole } from "../steps/require-platform-role.ts";
import { verificationFor } from "../steps/verification.ts";

export type ProvisionNeeds = Pick<
  Deps,
  "config" | "clock" | "random" | "database" | "hashing" | "sealing" | "outbox" | "passwordCheck"
>;

export interface ProvisionInput {
  readonly caller: SessionView;
  readonly founding: FoundingInput;
  readonly tier: Tier | undefined;
  readonly client: ClientFacts;
}

export interface Provisioned {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly slug: string;
}

/**
 * POST /v1/admin/orgs (contract, section 4.11): an organization with its first owner, in one statement. Refuses with `forbidden`,
 * `invalid_input`, `conflict` for a taken slug or address, `rate_limited`.
 */
export async function provisionOrganization(
  needs: ProvisionNeeds,
  input: ProvisionInput,
): Promise<Result<Provisioned>> {
  const allowed = await requirePlatformRole(needs, input.caller, "admin");
  if (!allowed.ok) return allowed;
  const asked = { founding: input.founding, prefix: "owner_", payer: input.client.network } as const;
  return await found(needs, asked, (settlement) => settle(needs, input, settlement));
}

async function settle(
  needs: ProvisionNeeds,
  { caller, tier: givenTier, client }: ProvisionInput,
  { application, slug, passwordHash }: Settlement,
): Promise<Result<Provisioned>> {
  const { organizationName: name, email, displayName } = application;
  const tier = givenTier ?? needs.config.defaultTier;
  const organizationId = needs.random.uuid();
  const userId = needs.random.uuid();
  const at = new Date(needs.clock.now());
  const user = { id: userId, email, passwordHash, displayName, locale: null, organizationId, at };
  const { token, letter } = verificationFor(needs, userId, { email, displayName, locale: null }, client, at);
  const entry = entryBy(needs, { userId: caller.userId, organizationId }, client, {
    action: "organization.created",
    at,
    resource: { type: "organization", id: organizationId },
    metadata: { owner_user_id: userId, tier },
  });
  await needs.database.run(
    "organization.provision",
    (sql) => sql`
      with organization as (${insertOrganization(sql, { id: organizationId, name, slug, tier, at })}),
      person as (${insertUser(sql, user)}),
      home as (${insertMember(sql, { organizationId, userId, role: "owner", at })}),
      verification as (${replaceMailedToken(sql, token)}),
      letter as (${insertLetter(sql, letter)})
      ${insertAudit(sql, entry, sql``)}`,
  );
  needs.outbox.wake();
  return ok({ organizationId, ownerUserId: userId, slug });
}
