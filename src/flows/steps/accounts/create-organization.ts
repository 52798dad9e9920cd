import { NAME_FLAW, normalizeName } from "../../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, invalidFields, REQUIRED } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { violatedConstraint } from "../../../database/database.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { SLUG_ATTEMPTS_MAX } from "../../../limits/account-limits.ts";
import { takenSlugs } from "../../../models/organization/organization.ts";
import { isSlug, SLUG_FLAW, slugCandidate, suggestSlug } from "../../../models/organization/slug.ts";
import { emailFlaw, normalizeEmail } from "../../../models/user/email-address.ts";
import { emailIsTaken, isAddressConstraint } from "../../../models/user/user-address.ts";
import { PERSONAL_ORGANIZATION_NAME } from "../../../vocabulary/personal-organization.ts";
import { validateNewPassword } from "../credentials/replace-password.ts";
import { hashPasswordFor } from "../sign-in/verify-password.ts";

/**
 * The input of the uniqueness checks of a new organization and its first owner: the slug, given or derived from the
 * name, and the address.
 */
export interface Claim {
  readonly organizationName: string;
  readonly givenSlug: string | undefined;
  readonly email: string;
}

/** An organization and its first owner, as the client sent them. */
export interface NewOrganizationInput {
  /** Null: a user without a team, with a personal organization; undefined: absent in the request. */
  readonly organizationName: string | null | undefined;
  readonly organizationSlug: string | undefined;
  readonly email: string;
  readonly password: string;
  readonly displayName: string | undefined;
}

/** A validated organization and owner, in stored form. */
export interface ValidOrganization extends Claim {
  readonly isPersonal: boolean;
  readonly password: string;
  readonly displayName: string | null;
}

/** `prefix`: the prefix of the owner's fields in the request. */
async function validateNewOrganization(
  deps: Pick<Deps, "clock" | "database" | "passwordCheck">,
  input: NewOrganizationInput,
  prefix: "" | "owner_",
): Promise<Result<ValidOrganization, Refusal<"invalid_input">>> {
  const isPersonal = input.organizationName === null;
  const givenSlug = isPersonal ? undefined : input.organizationSlug;
  const organizationName = isPersonal ? PERSONAL_ORGANIZATION_NAME : normalizeName(input.organizationName ?? "");
  const email = normalizeEmail(input.email);
  const displayName = input.displayName === undefined ? null : normalizeName(input.displayName);
  const password = await validateNewPassword(deps, `${prefix}password`, input.password);
  const flaws: FieldFlaw[] = [];
  const nameFlaw = input.organizationName === undefined ? REQUIRED : NAME_FLAW;
  if (!organizationName) flaws.push({ field: "organization_name", ...nameFlaw });
  if (givenSlug !== undefined && !isSlug(givenSlug)) flaws.push({ field: "organization_slug", ...SLUG_FLAW });
  if (!email) flaws.push({ field: `${prefix}email`, ...emailFlaw(input.email) });
  if (displayName === undefined) flaws.push({ field: `${prefix}display_name`, ...NAME_FLAW });
  if (!password.ok) flaws.push(password.error);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  if (!organizationName || !email || displayName === undefined || !password.ok)
    throw new Error("a flaw was not listed");
  return ok({ isPersonal, organizationName, givenSlug, email, displayName, password: password.value });
}

/** A valid organization with a free slug (empty: a personal organization), and the hash of the owner's password. */
export interface OrganizationToCreate {
  readonly application: ValidOrganization;
  readonly slug: string;
  readonly passwordHash: string;
}

export interface OrganizationRequest {
  readonly organization: NewOrganizationInput;
  readonly prefix: "" | "owner_";
  readonly client: RequestContext;
}

type TakenNames = "email_taken" | "slug_taken";

export const SLUG_TAKEN = {
  ...refusal("conflict", "This organization slug is already taken."),
  reason: "slug_taken",
} as const;

const CONFLICTS: Readonly<Record<TakenNames, Refusal<"conflict">>> = {
  email_taken: { ...refusal("conflict", "This email address is already registered."), reason: "email_taken" },
  slug_taken: SLUG_TAKEN,
};

/**
 * Creates an organization and its first owner, who has a password: all input is validated before the costly hash; then
 * `persist` writes both rows in one statement. The problems of `persist` pass through.
 */
export async function createOrganizationWithOwner<T, E extends Refusal>(
  deps: SignInDeps,
  request: OrganizationRequest,
  persist: (toCreate: OrganizationToCreate) => Promise<Result<T, E>>,
): Promise<Result<T, E | Refusal<"invalid_input" | "conflict" | "rate_limited">>> {
  const validated = await validateNewOrganization(deps, request.organization, request.prefix);
  if (!validated.ok) return validated;
  const application = validated.value;
  const slugs = application.isPersonal
    ? await freeAddress(deps, application.email)
    : await findFreeNames(deps, application);
  if (!slugs.ok) return err(CONFLICTS[slugs.error]);
  const hashed = await hashPasswordFor(deps, application.password, request.client);
  if (!hashed.ok) return hashed;
  const created = await createWithFreeSlug(application, slugs.value, (slug) =>
    persist({ application, slug, passwordHash: hashed.value }),
  );
  if (created.ok) return created;
  return err(typeof created.error === "string" ? CONFLICTS[created.error] : created.error);
}

/** As `findFreeNames`, for an organization whose slug is its id. */
async function freeAddress(
  deps: Pick<Deps, "clock" | "database">,
  email: string,
): Promise<Result<[""], "email_taken">> {
  const at = new Date(deps.clock.now());
  const isTaken = await deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, email, at));
  return isTaken ? err("email_taken") : ok([""]);
}

/** Returns slugs to try, in order. The slugs are read before the costly hash; the unique indexes decide afterwards. */
export async function findFreeNames(
  deps: Pick<Deps, "clock" | "database" | "random">,
  claim: Claim,
): Promise<Result<string[], TakenNames>> {
  const [emailTaken, slugs] = await Promise.all([
    deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, claim.email, new Date(deps.clock.now()))),
    findFreeSlugs(deps, claim),
  ]);
  return emailTaken ? err("email_taken") : slugs;
}

type SlugClaim = Pick<Claim, "givenSlug" | "organizationName">;

/** Returns slugs to try, in order, for an organization of an existing user. */
export async function findFreeSlugs(
  deps: Pick<Deps, "database" | "random">,
  claim: SlugClaim,
): Promise<Result<string[], "slug_taken">> {
  const candidates = claim.givenSlug ? [claim.givenSlug] : await derivedSlugs(deps, claim.organizationName);
  const taken = await deps.database.run("organization.taken_slugs", (sql) => takenSlugs(sql, candidates));
  const free = candidates.filter((candidate) => !taken.has(candidate));
  return free.length === 0 ? err("slug_taken") : ok(free);
}

async function derivedSlugs({ random }: Pick<Deps, "random">, name: string): Promise<string[]> {
  const suggested = await suggestSlug(name);
  return Array.from({ length: SLUG_ATTEMPTS_MAX }, (_, attempt) =>
    slugCandidate(suggested, attempt, random.bytes(4).readUInt32BE()),
  );
}

/**
 * Creates organization and owner with the first free slug (G5). `persist` writes both rows in one statement; the
 * problems of `persist` pass through.
 */
export async function createWithFreeSlug<T, E extends Refusal>(
  claim: Pick<Claim, "givenSlug">,
  slugs: readonly string[],
  persist: (slug: string) => Promise<Result<T, E>>,
): Promise<Result<T, E | TakenNames>> {
  for (const slug of slugs) {
    try {
      return await persist(slug);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (isAddressConstraint(constraint)) return err("email_taken");
      if (constraint !== "organizations_slug_key") throw error;
      if (claim.givenSlug) break;
    }
  }
  return err("slug_taken");
}
