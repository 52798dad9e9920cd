import { violatedConstraint } from "../../base/database.ts";
import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { SLUG_ATTEMPTS_MAX } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { takenSlugs } from "../../models/organization/organization.ts";
import { isSlug, slugCandidate, suggestSlug } from "../../models/organization/slug.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { emailIsTaken } from "../../models/user/user.ts";
import { validateNewPassword } from "./replace-password.ts";
import { hashPassword } from "./verify-password.ts";

/** What decides whether an organization and its first owner can be made. */
export interface Claim {
  readonly organizationName: string;
  readonly givenSlug: string | undefined;
  readonly email: string;
}

/** An organization and its first owner, as they were asked for. */
export interface NewOrganizationInput {
  readonly organizationName: string;
  readonly organizationSlug: string | undefined;
  readonly email: string;
  readonly password: string;
  readonly displayName: string | undefined;
}

/** The same, in the form in which it is stored. */
export interface ValidOrganization extends Claim {
  readonly password: string;
  readonly displayName: string | null;
}

/** `prefix`: in front of the owner's fields, as the client names them. Refuses with `invalid_input`. */
async function validateNewOrganization(
  deps: Pick<Deps, "passwordCheck">,
  input: NewOrganizationInput,
  prefix: "" | "owner_",
): Promise<Result<ValidOrganization>> {
  const organizationName = normalizeName(input.organizationName);
  if (!organizationName) return invalid(`organization_name: ${NAME_RULE}`);
  if (input.organizationSlug !== undefined && !isSlug(input.organizationSlug)) {
    return invalid("organization_slug: 3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends");
  }
  const email = normalizeEmail(input.email);
  if (!email) return invalid(`${prefix}email: not an e-mail address`);
  const displayName = input.displayName === undefined ? null : normalizeName(input.displayName);
  if (displayName === undefined) return invalid(`${prefix}display_name: ${NAME_RULE}`);
  const password = await validateNewPassword(deps, `${prefix}password`, input.password);
  if (!password.ok) return password;
  return ok({ organizationName, givenSlug: input.organizationSlug, email, displayName, password: password.value });
}

function invalid(message: string): Result<never> {
  return err(refusal("invalid_input", message));
}

/** What a founding comes to, once all that can refuse it has been asked. */
export interface OrganizationToCreate {
  readonly application: ValidOrganization;
  readonly slug: string;
  readonly passwordHash: string;
}

/**
 * An organization and its first owner, who has a password: judged, then the costly hash, then `persist`, which writes them in one statement.
 * `fairnessKey`: the network that asks. Refuses with `invalid_input`, `conflict`, `rate_limited`, and as `persist` does.
 */
export async function createOrganizationWithOwner<T>(
  deps: Pick<Deps, "config" | "database" | "hashing" | "passwordCheck" | "random">,
  asked: { readonly organization: NewOrganizationInput; readonly prefix: "" | "owner_"; readonly fairnessKey: string },
  persist: (toCreate: OrganizationToCreate) => Promise<Result<T>>,
): Promise<Result<T>> {
  const judged = await validateNewOrganization(deps, asked.organization, asked.prefix);
  if (!judged.ok) return judged;
  const application = judged.value;
  const slugs = await findFreeSlugs(deps, application);
  if (!slugs.ok) return slugs;
  const hashed = await hashPassword(deps, application.password, asked.fairnessKey);
  if (!hashed.ok) return hashed;
  return await createWithFreeSlug(application, slugs.value, (slug) =>
    persist({ application, slug, passwordHash: hashed.value }),
  );
}

const EMAIL_TAKEN = refusal("conflict", "This e-mail address is already registered.");
const SLUG_TAKEN = refusal("conflict", "This organization slug is already taken.");

/** Slugs to try, in order. Asks before the costly hash; the unique indexes decide afterwards. Refuses with `conflict`. */
export async function findFreeSlugs(deps: Pick<Deps, "database" | "random">, claim: Claim): Promise<Result<string[]>> {
  const candidates = claim.givenSlug ? [claim.givenSlug] : derivedSlugs(deps, claim.organizationName);
  const [emailTaken, taken] = await Promise.all([
    deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, claim.email)),
    deps.database.run("organization.taken_slugs", (sql) => takenSlugs(sql, candidates)),
  ]);
  if (emailTaken) return err(EMAIL_TAKEN);
  const free = candidates.filter((candidate) => !taken.has(candidate));
  return free.length === 0 ? err(SLUG_TAKEN) : ok(free);
}

function derivedSlugs({ random }: Pick<Deps, "random">, name: string): string[] {
  const suggested = suggestSlug(name);
  return Array.from({ length: SLUG_ATTEMPTS_MAX }, (_, attempt) =>
    slugCandidate(suggested, attempt, random.bytes(4).readUInt32BE()),
  );
}

/**
 * Makes organization and owner with the first slug that nobody else takes meanwhile (promise 5). `persist` writes both in one
 * statement. Refuses with `conflict`, and as `persist` does.
 */
export async function createWithFreeSlug<T>(
  claim: Claim,
  slugs: readonly string[],
  persist: (slug: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  for (const slug of slugs) {
    try {
      return await persist(slug);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === "users_email_key") return err(EMAIL_TAKEN);
      if (constraint !== "organizations_slug_key") throw error;
      if (claim.givenSlug) break;
    }
  }
  return err(SLUG_TAKEN);
}
