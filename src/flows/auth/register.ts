import type { ClientFacts } from "../../base/client-facts.ts";
import { normalizeName } from "../../base/display-name.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { isSlug } from "../../models/organization/slug.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { insertUser } from "../../models/user/user.ts";
import { hashPassword } from "../steps/check-password.ts";
import { type FinishNeeds, finishSignIn, type SignedIn } from "../steps/finish-sign-in.ts";
import { freeSlugs, settleSlug } from "../steps/new-organization.ts";
import { admitNewPassword } from "../steps/new-password.ts";
import { verificationFor } from "../steps/verification.ts";

export type RegisterNeeds = FinishNeeds & Pick<Deps, "hashing" | "sealing" | "outbox" | "passwordCheck">;

export interface RegisterInput {
  readonly organizationName: string;
  readonly organizationSlug: string | undefined;
  readonly email: string;
  readonly password: string;
  readonly displayName: string | undefined;
  readonly client: ClientFacts;
}

/** What was asked for, in the form in which it is stored. */
interface Application {
  readonly organizationName: string;
  readonly givenSlug: string | undefined;
  readonly email: string;
  readonly password: string;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/register (decisions, section 4): organization, owner, membership and first session in one statement, or none
 * of them (promise 5). Refuses with `invalid_input`, `conflict`, `rate_limited`.
 */
export async function register(needs: RegisterNeeds, input: RegisterInput): Promise<Result<SignedIn>> {
  const application = await judgeApplication(needs, input);
  if (!application.ok) return application;
  const slugs = await freeSlugs(needs, application.value);
  if (!slugs.ok) return slugs;
  const passwordHash = await hashPassword(needs, application.value.password);
  if (!passwordHash.ok) return passwordHash;
  return await settleSlug(application.value, slugs.value, (slug) =>
    settle(needs, application.value, slug, passwordHash.value),
  );
}

async function judgeApplication(needs: RegisterNeeds, input: RegisterInput): Promise<Result<Application>> {
  const organizationName = normalizeName(input.organizationName);
  if (!organizationName) return invalid("organization_name: 1 to 120 printable characters");
  if (input.organizationSlug !== undefined && !isSlug(input.organizationSlug)) {
    return invalid("organization_slug: 3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends");
  }
  const email = normalizeEmail(input.email);
  if (!email) return invalid("email: not an e-mail address");
  const displayName = input.displayName === undefined ? null : normalizeName(input.displayName);
  if (displayName === undefined) return invalid("display_name: 1 to 120 printable characters");
  const password = await admitNewPassword(needs, "password", input.password);
  if (!password.ok) return password;
  return ok({
    organizationName,
    givenSlug: input.organizationSlug,
    email,
    password: password.value,
    displayName,
    locale: input.client.locale,
    client: input.client,
  });
}

function invalid(message: string): Result<never> {
  return refuse(problem("invalid_input", message));
}

async function settle(
  needs: RegisterNeeds,
  application: Application,
  slug: string,
  passwordHash: string,
): Promise<Result<SignedIn>> {
  const organizationId = needs.random.uuid();
  const userId = needs.random.uuid();
  const at = new Date(needs.clock.now());
  const { organizationName, email, displayName, locale, client } = application;
  const tier = needs.config.defaultTier;
  const { token, letter } = verificationFor(needs, userId, application, client, at);
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
