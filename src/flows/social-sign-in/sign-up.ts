import type { ClientFacts } from "../../base/client-facts.ts";
import { violatedConstraint } from "../../base/database.ts";
import { cleanName } from "../../base/display-name.ts";
import { refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { type IdentityKey, insertIdentity } from "../../models/identity/identity.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { insertControlledUser, insertUser } from "../../models/user/user.ts";
import type { Identity } from "../../providers/identity/identity-provider.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { type CompleteSignInDeps, completeSignIn, type SignedIn } from "../steps/complete-sign-in.ts";
import { createWithFreeSlug, findFreeSlugs } from "../steps/create-organization.ts";
import { grantInitialOwner } from "../steps/grant-initial-owner.ts";
import { issueVerification } from "../steps/issue-verification.ts";

const IDENTITY_IN_USE = refusal("conflict", "This account of the provider has just been used to sign up.");

/** For a user whose name and address both contain a link. */
const FALLBACK_NAME = "Organization";

export interface SocialSignUp {
  readonly key: IdentityKey;
  readonly identity: Identity & { readonly email: string };
  readonly client: ClientFacts;
}

/**
 * Inserts a user without a password, an organization, the identity and the first session in one statement
 * (docs/contract.md, section 16.4). An address that the provider has not verified gets a verification link. Refuses
 * with `conflict` when the identity or the address was registered concurrently.
 */
export async function signUpWithIdentity(deps: CompleteSignInDeps, input: SocialSignUp): Promise<Result<SignedIn>> {
  const { email } = input.identity;
  const displayName = cleanName(input.identity.name ?? "") ?? null;
  const organizationName = displayName ?? cleanName(email.split("@")[0] ?? "") ?? FALLBACK_NAME;
  const claim = { organizationName, givenSlug: undefined, email };
  const slugs = await findFreeSlugs(deps, claim);
  if (!slugs.ok) return slugs;
  const signedIn = await createWithFreeSlug(claim, slugs.value, (slug) =>
    persistSignUp(deps, input, { organizationName, displayName, slug }),
  ).catch((error) => {
    if (violatedConstraint(error) === "user_identities_pkey") return err(IDENTITY_IN_USE);
    throw error;
  });
  if (signedIn.ok && input.identity.emailVerified) {
    await deps.database.run("user.set_platform_role", (sql) => grantInitialOwner(deps, sql, email));
  }
  return signedIn;
}

interface Naming {
  readonly organizationName: string;
  readonly displayName: string | null;
  readonly slug: string;
}

async function persistSignUp(
  deps: CompleteSignInDeps,
  { key, identity, client }: SocialSignUp,
  naming: Naming,
): Promise<Result<SignedIn>> {
  const [organizationId, userId] = [deps.random.uuid(), deps.random.uuid()];
  const at = new Date(deps.clock.now());
  const { email, emailVerified } = identity;
  const { locale } = client;
  const { organizationName, displayName, slug } = naming;
  const user = { id: userId, email, passwordHash: null, displayName, locale, organizationId, at };
  const organization = { id: organizationId, name: organizationName, slug, tier: deps.config.defaultTier, at };
  const { token, mail } = issueVerification(deps, userId, { email, displayName, locale }, client, at);
  const metadata = { method: "social_oauth", provider: key.provider };
  const registered = userAuditEvent(deps, { userId, organizationId }, client, {
    action: "auth.register",
    at,
    metadata,
  });
  const signedIn = await completeSignIn(deps, {
    userId,
    organizationId,
    email,
    authMethod: "social_oauth",
    aal: "aal1",
    client,
    audit: { action: "auth.oauth.login", metadata: { provider: key.provider } },
    conditions: (sql) => sql`
      organization as (${insertOrganization(sql, organization)}),
      known as (${emailVerified ? insertControlledUser(sql, user) : insertUser(sql, user)}),
      person as (${insertIdentity(sql, key, userId, at, sql`from known`)}),
      home as (${insertMember(sql, { organizationId, userId, role: "owner", at })} returning organization_id, role),
      registered as (${insertAudit(sql, registered, sql`from person`)})
      ${emailVerified ? sql`` : sql`, verification as (${replaceMailedToken(sql, token, sql`from person`)})`}
      ${emailVerified ? sql`` : sql`, email as (${insertEmail(sql, mail, sql`from person`)})`}`,
  });
  if (!emailVerified) deps.outbox.wake();
  return signedIn;
}
