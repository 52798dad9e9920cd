import type { BrandTenants } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertEmail, type SealedEmail } from "../../models/email/email.ts";
import { type NewMailedToken, replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import {
  insertOrganization,
  insertPersonalOrganization,
  type NewOrganization,
} from "../../models/organization/organization.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { insertUser, type NewUser } from "../../models/user/user.ts";
import { PERSONAL_MEMBER_ROLE, personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import { isDomainRefused, isRegistrationOpen, type RegisteringApplication } from "../../vocabulary/registration.ts";
import {
  createOrganizationWithOwner,
  type NewOrganizationInput,
  type OrganizationToCreate,
} from "../steps/accounts/create-organization.ts";
import { DOMAIN_REFUSED, REGISTRATION_CLOSED, registrationMetadata } from "../steps/accounts/registration-problems.ts";
import { issueVerification } from "../steps/email/issue-mailed-link.ts";
import { assertUnchanged, completeSignIn, type SignInResult } from "../steps/sign-in/complete-sign-in.ts";
import type { SignInConditions } from "../steps/sign-in/sign-in-conditions.ts";

export interface RegisterInput {
  /** The organization is ignored where users register without a team. */
  readonly organization: NewOrganizationInput;
  /** The application of the registration, if any, and its mode. */
  readonly application?: RegisteringApplication | undefined;
  /** The tenants that the page of the registration concerns; absent: unknown. */
  readonly tenants?: BrandTenants | undefined;
  readonly client: RequestContext;
}

type RegisterRefusal = Refusal<"invalid_input" | "conflict" | "forbidden" | "rate_limited">;

/**
 * POST /v1/auth/register (docs/contract.md, section 7.1): one statement inserts organization, owner, membership and
 * first session, all or no rows (G5). `forbidden`: no user registers with a password.
 */
export async function register(deps: SignInDeps, input: RegisterInput): Promise<Result<SignInResult, RegisterRefusal>> {
  const { application, client } = input;
  const registration = deps.registration.settings(application?.registration);
  if (!isRegistrationOpen(registration, "password")) return err(REGISTRATION_CLOSED);
  const email = normalizeEmail(input.organization.email);
  if (email !== undefined && isDomainRefused(registration, email)) return err(DOMAIN_REFUSED);
  const isPersonal = registration.mode === "personal";
  const organization = isPersonal ? { ...input.organization, organizationName: null } : input.organization;
  const request = { organization, prefix: "", client } as const;
  return await createOrganizationWithOwner(deps, request, (toCreate) => persistRegistration(deps, toCreate, input));
}

async function persistRegistration(
  deps: SignInDeps,
  { application, slug, passwordHash }: OrganizationToCreate,
  { tenants, application: registering, client }: RegisterInput,
): Promise<Result<SignInResult, Refusal<"rate_limited">>> {
  const userId = deps.random.uuid();
  const { isPersonal } = application;
  const organizationId = isPersonal ? personalOrganizationId(userId) : deps.random.uuid();
  const at = new Date(deps.clock.now());
  const { organizationName: name, email, displayName } = application;
  const { locale } = client;
  const to = { email, isMailboxOwner: false, displayName, locale, timeZone: null };
  const { token, mail } = issueVerification(deps, { userId, to, tenants, client, at });
  const registration: Registration = {
    organization: isPersonal ? null : { id: organizationId, name, slug, tier: deps.config.defaultTier, at },
    user: { id: userId, email, passwordHash, displayName, locale, organizationId, at },
    token,
    mail,
  };
  const signedIn = await completeSignIn(deps, {
    userId,
    organizationId,
    email,
    authMethod: "password",
    aal: "aal1",
    client,
    audit: { action: "auth.register", metadata: registrationMetadata({ isPersonal, clientId: registering?.id }) },
    conditions: (sql) => registrationParts(sql, registration),
  });
  deps.outbox.wake();
  return assertUnchanged(signedIn);
}

interface Registration {
  /** Null: the personal organization of the user. */
  readonly organization: NewOrganization | null;
  readonly user: NewUser;
  readonly token: NewMailedToken;
  readonly mail: SealedEmail;
}

function registrationParts(sql: Sql, { organization, user, token, mail }: Registration): SignInConditions {
  const account = cte(sql, "account");
  const member = {
    organizationId: user.organizationId,
    userId: user.id,
    role: organization ? "owner" : PERSONAL_MEMBER_ROLE,
    at: user.at,
  } as const;
  return {
    organization: organization
      ? insertOrganization(sql, organization)
      : insertPersonalOrganization(sql, user.id, user.at),
    account: insertUser(sql, user),
    membership: sql`${insertMember(sql, member)} returning organization_id, role`,
    verification: replaceMailedToken(sql, token, sql`from ${account}`),
    email: insertEmail(sql, mail, sql`from ${account}`),
  };
}
