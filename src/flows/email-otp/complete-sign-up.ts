import { cleanName } from "../../base/display-name.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { violatedConstraint } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { insertMemberFrom } from "../../models/member/member.ts";
import { insertOrganizationFrom, insertPersonalOrganization } from "../../models/organization/organization.ts";
import { consumeSignUp, type PendingSignUp } from "../../models/sign-up/sign-up.ts";
import { insertControlledUserFrom } from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { PERSONAL_MEMBER_ROLE, personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import { isDomainRefused, isRegistrationOpen, type RegistrationSettings } from "../../vocabulary/registration.ts";
import { createWithFreeSlug, findFreeSlugs } from "../steps/accounts/create-organization.ts";
import { registrationMetadata } from "../steps/accounts/registration-problems.ts";
import {
  type CHANGED_MEANWHILE,
  completeSignInWithSlot,
  type SignInResult,
} from "../steps/sign-in/complete-sign-in.ts";

/** An account with the address came to exist meanwhile: the code signs in to the account. */
export const ACCOUNT_EXISTS = "account_exists";

/** The members that a sign-up may have beside the credential. */
export interface SignUpDetails {
  readonly displayName?: string | undefined;
  /** The name of the team, where users register with an organization. */
  readonly organizationName?: string | undefined;
}

export type SignUpDeps = SignInDeps & Pick<Deps, "oauthClients">;

interface SignUpToComplete extends SignUpDetails {
  readonly pending: PendingSignUp;
  readonly client: RequestContext;
}

/** The name of a team whose owner has a link in both name and address. */
const FALLBACK_NAME = "Organization";

/** The settings of the registration: of the application that the request named, while the application is enabled. */
export function settingsOfSignUp(
  deps: SignUpDeps,
  { clientId }: Pick<PendingSignUp, "clientId">,
): RegistrationSettings {
  const application = clientId === null ? undefined : deps.oauthClients.find(clientId);
  return deps.registration.settings(application?.registration);
}

/** Whether the address may still register. The settings may have changed since the request. */
export function admitsSignUp(settings: RegistrationSettings, { email }: PendingSignUp): boolean {
  return isRegistrationOpen(settings, "email_code") && !isDomainRefused(settings, email);
}

/**
 * Creates the user, the organization, the membership and the first session in one statement, which consumes the pending
 * sign-up: of parallel requests one creates (docs/contract.md, section 37.3). The code or link is a controlling proof.
 * The caller holds a signing slot.
 */
export async function completeSignUp(
  deps: SignUpDeps,
  input: SignUpToComplete,
): Promise<Result<SignInResult, typeof ACCOUNT_EXISTS | typeof CHANGED_MEANWHILE>> {
  const { email } = input.pending;
  const displayName = cleanName(input.displayName ?? "") ?? null;
  try {
    if (settingsOfSignUp(deps, input.pending).mode === "personal") return await persist(deps, input, { displayName });
    const given = cleanName(input.organizationName ?? "");
    const organizationName = given ?? displayName ?? cleanName(email.split("@")[0] ?? "") ?? FALLBACK_NAME;
    const claim = { organizationName, givenSlug: undefined };
    const slugs = await findFreeSlugs(deps, claim);
    if (!slugs.ok) throw new Error("no free slug for a sign-up");
    const created = await createWithFreeSlug<Persisted, never>(claim, slugs.value, async (slug) =>
      ok(await persist(deps, input, { displayName, team: { name: organizationName, slug } })),
    );
    return created.ok ? created.value : err(ACCOUNT_EXISTS);
  } catch (error) {
    if (isAddressConstraint(violatedConstraint(error))) return err(ACCOUNT_EXISTS);
    throw error;
  }
}

type Persisted = Result<SignInResult, typeof CHANGED_MEANWHILE>;

interface Naming {
  readonly displayName: string | null;
  /** Undefined: the personal organization of the user. */
  readonly team?: { readonly name: string; readonly slug: string };
}

async function persist(
  deps: SignUpDeps,
  { pending, client }: SignUpToComplete,
  { displayName, team }: Naming,
): Promise<Persisted> {
  const { email, clientId } = pending;
  const userId = deps.random.uuid();
  const organizationId = team ? deps.random.uuid() : personalOrganizationId(userId);
  const at = new Date(deps.clock.now());
  const { defaultTier: tier } = deps.config;
  const user = { id: userId, email, passwordHash: null, displayName, locale: client.locale, organizationId, at };
  const role = team ? "owner" : PERSONAL_MEMBER_ROLE;
  return await completeSignInWithSlot(deps, {
    userId,
    organizationId,
    email,
    authMethod: "email_otp",
    aal: "aal1",
    client,
    audit: { action: "auth.register", metadata: registrationMetadata({ isPersonal: !team, clientId }) },
    insertsControlledUser: true,
    conditions: (sql) => {
      const consumed = sql`from ${cte(sql, "consumed")}`;
      return {
        consumed: consumeSignUp(sql, pending.id),
        organization: team
          ? insertOrganizationFrom(sql, { id: organizationId, tier, at, ...team }, consumed)
          : insertPersonalOrganization(sql, userId, at, consumed),
        account: insertControlledUserFrom(sql, user, consumed),
        granted: sql`select ${organizationId}::uuid as organization_id, ${role}::text as role ${consumed}`,
        membership: insertMemberFrom(sql, userId, at, cte(sql, "granted")),
      };
    },
  });
}
