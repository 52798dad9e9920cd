import type { ClientFacts } from "../../base/client-facts.ts";
import type { Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertEmail } from "../../models/email/email.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { insertUser } from "../../models/user/user.ts";
import { type CompleteSignInDeps, completeSignIn, type SignedIn } from "../steps/complete-sign-in.ts";
import {
  createOrganizationWithOwner,
  type NewOrganizationInput,
  type OrganizationToCreate,
} from "../steps/create-organization.ts";
import { issueVerification } from "../steps/issue-verification.ts";

export type RegisterDeps = CompleteSignInDeps & Pick<Deps, "hashing" | "sealing" | "outbox" | "passwordCheck">;

export interface RegisterInput {
  readonly organization: NewOrganizationInput;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/register (decisions, section 4): organization, owner, membership and first session in one statement, or none
 * of them (promise 5). Refuses with `invalid_input`, `conflict`, `rate_limited`.
 */
export async function register(deps: RegisterDeps, { organization, client }: RegisterInput): Promise<Result<SignedIn>> {
  const asked = { organization, prefix: "", fairnessKey: client.network } as const;
  return await createOrganizationWithOwner(deps, asked, (toCreate) => persistRegistration(deps, toCreate, client));
}

async function persistRegistration(
  deps: RegisterDeps,
  { application, slug, passwordHash }: OrganizationToCreate,
  client: ClientFacts,
): Promise<Result<SignedIn>> {
  const organizationId = deps.random.uuid();
  const userId = deps.random.uuid();
  const at = new Date(deps.clock.now());
  const { organizationName, email, displayName } = application;
  const { locale } = client;
  const tier = deps.config.defaultTier;
  const { token, mail } = issueVerification(deps, userId, { email, displayName, locale }, client, at);
  const signedIn = await completeSignIn(deps, {
    userId,
    organizationId,
    email,
    authMethod: "password",
    aal: "aal1",
    client,
    audit: { action: "auth.register" },
    conditions: (sql) => sql`
      organization as (${insertOrganization(sql, { id: organizationId, name: organizationName, slug, tier, at })}),
      person as (${insertUser(sql, { id: userId, email, passwordHash, displayName, locale, organizationId, at })}),
      home as (${insertMember(sql, { organizationId, userId, role: "owner", at })} returning organization_id, role),
      verification as (${replaceMailedToken(sql, token, sql`from person`)}),
      letter as (${insertEmail(sql, mail, sql`from person`)})`,
  });
  deps.outbox.wake();
  return signedIn;
}
