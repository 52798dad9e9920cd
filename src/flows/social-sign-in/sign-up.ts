import { cleanName } from "../../base/display-name.ts";
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import { violatedConstraint } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { type IdentityKey, identityLabel, insertIdentity } from "../../models/identity/identity.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization, insertPersonalOrganization } from "../../models/organization/organization.ts";
import { insertControlledUser, insertUser } from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import type { Identity } from "../../providers/identity/identity-provider.ts";
import { PERSONAL_MEMBER_ROLE, personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import { isDomainRefused, isRegistrationOpen } from "../../vocabulary/registration.ts";
import { createWithFreeSlug, findFreeNames } from "../steps/accounts/create-organization.ts";
import { registrationMetadata } from "../steps/accounts/registration-problems.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { issueVerification } from "../steps/email/issue-mailed-link.ts";
import { assertUnchanged, completeSignIn, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";

/** A concurrent sign-up inserted the address, the slug or the identity first. */
export const NAME_TAKEN = "taken";

/** The name of an organization whose owner has a link in both name and address. */
const FALLBACK_NAME = "Organization";

export interface SocialSignUp {
  readonly key: IdentityKey;
  readonly identity: Identity & { readonly email: string };
  readonly client: RequestContext;
}

export type RefusedSignUp = "sign_up_off" | "domain_refused";

/** Why a new address cannot register through this provider; undefined: the address can. */
export function refusedSignUp(deps: SignInDeps, provider: string, email: string): RefusedSignUp | undefined {
  const settings = deps.registration.settings();
  const refusesSignUp = deps.identityProviders.find(provider)?.refusesSignUp;
  if (!deps.config.socialSignup || refusesSignUp || !isRegistrationOpen(settings, "social")) return "sign_up_off";
  return isDomainRefused(settings, email) ? "domain_refused" : undefined;
}

/**
 * Inserts a user without a password, an organization, the identity and the first session in one statement
 * (docs/contract.md, section 16.4). An address that the provider has not verified gets a verification link.
 */
export async function signUpWithIdentity(
  deps: SignInDeps,
  input: SocialSignUp,
): Promise<Result<SignInResult, typeof NAME_TAKEN | Refusal<"rate_limited">>> {
  const { email } = input.identity;
  const displayName = cleanName(input.identity.name ?? "") ?? null;
  if (deps.registration.settings().mode === "personal") return await signUpWithoutTeam(deps, input, displayName);
  const organizationName = displayName ?? cleanName(email.split("@")[0] ?? "") ?? FALLBACK_NAME;
  const claim = { organizationName, givenSlug: undefined, email };
  const slugs = await findFreeNames(deps, claim);
  if (!slugs.ok) return err(NAME_TAKEN);
  const signedIn = await createWithFreeSlug(claim, slugs.value, (slug) =>
    persistSignUp(deps, input, { displayName, team: { organizationName, slug } }),
  ).catch((error) => {
    if (violatedConstraint(error) === "user_identities_pkey") return err<typeof NAME_TAKEN>(NAME_TAKEN);
    throw error;
  });
  if (signedIn.ok) return signedIn;
  return err(typeof signedIn.error === "string" ? NAME_TAKEN : signedIn.error);
}

/** The personal organization needs no free name: only the address and the identity can be in use. */
async function signUpWithoutTeam(
  deps: SignInDeps,
  input: SocialSignUp,
  displayName: string | null,
): Promise<Result<SignInResult, typeof NAME_TAKEN | Refusal<"rate_limited">>> {
  try {
    return await persistSignUp(deps, input, { displayName });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "user_identities_pkey" || isAddressConstraint(constraint)) return err(NAME_TAKEN);
    throw error;
  }
}

interface Naming {
  readonly displayName: string | null;
  /** Undefined: the personal organization of the user. */
  readonly team?: { readonly organizationName: string; readonly slug: string };
}

async function persistSignUp(
  deps: SignInDeps,
  { key, identity, client }: SocialSignUp,
  naming: Naming,
): Promise<Result<SignInResult, Refusal<"rate_limited">>> {
  const userId = deps.random.uuid();
  const { displayName, team } = naming;
  const organizationId = team ? deps.random.uuid() : personalOrganizationId(userId);
  const at = new Date(deps.clock.now());
  const { email, emailVerified } = identity;
  const { locale } = client;
  const user = { id: userId, email, passwordHash: null, displayName, locale, organizationId, at };
  const { defaultTier: tier } = deps.config;
  const owner = { organizationId, userId, role: team ? "owner" : PERSONAL_MEMBER_ROLE, at } as const;
  const recipient = { email, isMailboxOwner: emailVerified, displayName, locale, timeZone: null };
  const { token, mail } = issueVerification(deps, { userId, to: recipient, tenants: undefined, client, at });
  const kind = registrationMetadata({ isPersonal: team === undefined });
  const metadata = { method: "social_oauth", provider: key.provider, ...kind };
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
    identityProvider: key.provider,
    aal: "aal1",
    client,
    audit: { action: "auth.oauth.login", metadata: { provider: key.provider } },
    insertsControlledUser: emailVerified,
    conditions: (sql) => {
      const account = sql`from ${cte(sql, "account")}`;
      return {
        organization: team
          ? insertOrganization(sql, { id: organizationId, name: team.organizationName, slug: team.slug, tier, at })
          : insertPersonalOrganization(sql, userId, at),
        inserted_user: emailVerified ? insertControlledUser(sql, user) : insertUser(sql, user),
        account: insertIdentity(
          sql,
          { ...key, label: identityLabel(identity) },
          userId,
          at,
          sql`from ${cte(sql, "inserted_user")}`,
        ),
        membership: sql`${insertMember(sql, owner)} returning organization_id, role`,
        registered: insertAudit(sql, registered, account),
        verification: emailVerified ? undefined : replaceMailedToken(sql, token, account),
        email: emailVerified ? undefined : insertEmail(sql, mail, account),
      };
    },
  });
  if (!emailVerified) deps.outbox.wake();
  return assertUnchanged(signedIn);
}
