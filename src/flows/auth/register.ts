import type { ClientFacts } from "../../base/client-facts.ts";
import type { Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { insertUser } from "../../models/user/user.ts";
import { type FinishNeeds, finishSignIn, type SignedIn } from "../steps/finish-sign-in.ts";
import { type FoundingInput, found, type Settlement } from "../steps/new-organization.ts";
import { verificationFor } from "../steps/verification.ts";

export type RegisterNeeds = FinishNeeds & Pick<Deps, "hashing" | "sealing" | "outbox" | "passwordCheck">;

export interface RegisterInput {
  readonly founding: FoundingInput;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/register (decisions, section 4): organization, owner, membership and first session in one statement, or none
 * of them (promise 5). Refuses with `invalid_input`, `conflict`, `rate_limited`.
 */
export async function register(needs: RegisterNeeds, { founding, client }: RegisterInput): Promise<Result<SignedIn>> {
  const asked = { founding, prefix: "", payer: client.network } as const;
  return await found(needs, asked, (settlement) => settle(needs, settlement, client));
}

async function settle(
  needs: RegisterNeeds,
  { application, slug, passwordHash }: Settlement,
  client: ClientFacts,
): Promise<Result<SignedIn>> {
  const organizationId = needs.random.uuid();
  const userId = needs.random.uuid();
  const at = new Date(needs.clock.now());
  const { organizationName, email, displayName } = application;
  const { locale } = client;
  const tier = needs.config.defaultTier;
  const { token, letter } = verificationFor(needs, userId, { email, displayName, locale }, client, at);
  const signedIn = await finishSignIn(needs, {
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
      letter as (${insertLetter(sql, letter, sql`from person`)})`,
  });
  needs.outbox.wake();
  return signedIn;
}
