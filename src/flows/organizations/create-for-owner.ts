/** An organization for an owner without a password in the request (docs/contract.md, section 36.3). */
import { inertName, NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { decideInTransaction } from "../../database/decide.ts";
import type { SignInDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { insertMember } from "../../models/member/member.ts";
import { insertOrganization, type Tier } from "../../models/organization/organization.ts";
import { isSlug, SLUG_FLAW } from "../../models/organization/slug.ts";
import { emailFlaw, normalizeEmail } from "../../models/user/email-address.ts";
import { insertAccount } from "../../models/user/new-account.ts";
import { lockPlatformRole } from "../../models/user/platform-role.ts";
import { findProfile } from "../../models/user/profile.ts";
import { emailIsTaken } from "../../models/user/user-address.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import { createWithFreeSlug, findFreeSlugs, SLUG_TAKEN } from "../steps/accounts/create-organization.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitAddress, permitRank } from "../steps/authorization/protected-users.ts";
import { programCredentialId } from "../steps/credentials/lock-credential.ts";
import { issueOrganizationReady } from "../steps/email/issue-mailed-link.ts";
import type { AccountAuthor } from "../users/account-author.ts";
import { EMAIL_TAKEN } from "../users/create.ts";
import type { Provisioned } from "./create.ts";

/** An existing user, or the address of a user to create. */
export type FirstOwner =
  | { readonly userId: string; readonly email?: undefined }
  | {
      readonly userId?: undefined;
      readonly email: string;
      readonly displayName: string | undefined;
      /** `link`: the caller gets the link that sets the password, in place of an email. */
      readonly delivery: "link" | "mail";
    };

export interface CreateForOwner extends AccountAuthor {
  readonly organizationName: string;
  readonly organizationSlug: string | undefined;
  readonly tier: Tier | undefined;
  readonly owner: FirstOwner;
}

/** The link that sets the password of the new owner, returned once. */
export interface OwnerTicket {
  readonly url: string;
  readonly expiresAt: Date;
}

export interface CreatedForOwner extends Provisioned {
  readonly ownerTicket: OwnerTicket | undefined;
}

type CreationProblem = Refusal<"conflict" | "forbidden" | "invalid_input">;

const UNKNOWN_OWNER = invalidInput("owner", "unknown_value", "a user that does not exist");
const CLOSED_OWNER = invalidInput("owner", "unknown_value", "a user who is disabled");
const LINK = byRule(
  "permission",
  refusal("forbidden", "A link for the owner needs the permission users.credentials."),
  "users.credentials",
);

/** POST /v1/admin/orgs with `owner`: organization, owner and membership in one transaction. */
export async function createForOwner(
  deps: SignInDeps,
  input: CreateForOwner,
): Promise<Result<CreatedForOwner, CreationProblem>> {
  const valid = validate(input);
  if (!valid.ok) return valid;
  const { organizationName, email } = valid.value;
  const { owner, organizationSlug: givenSlug } = input;
  if (owner.email !== undefined && owner.delivery === "link" && !input.holds("users.credentials")) return err(LINK);
  const permitted = email === undefined ? ok(undefined) : await permitNewOwner(deps, input, email);
  if (!permitted.ok) return permitted;
  const slugs = await findFreeSlugs(deps, { organizationName, givenSlug });
  if (!slugs.ok) return err(SLUG_TAKEN);
  const created = await createWithFreeSlug({ givenSlug }, slugs.value, (slug) =>
    decideInTransaction(deps.database, "organization.create_for_owner", (sql) =>
      persist(deps, sql, input, { ...valid.value, slug }),
    ),
  );
  if (created.ok) {
    deps.outbox.wake();
    return created;
  }
  if (typeof created.error !== "string") return err(created.error);
  return err(created.error === "email_taken" ? EMAIL_TAKEN : SLUG_TAKEN);
}

interface ValidInput {
  readonly organizationName: string;
  /** The address of a new owner. */
  readonly email: string | undefined;
  readonly displayName: string | null;
}

function validate({
  organizationName: name,
  organizationSlug: slug,
  owner,
}: CreateForOwner): Result<ValidInput, Refusal<"invalid_input">> {
  const organizationName = normalizeName(name);
  const email = owner.email === undefined ? undefined : normalizeEmail(owner.email);
  const givenName = owner.email === undefined ? undefined : owner.displayName;
  const displayName = givenName === undefined ? null : normalizeName(givenName);
  const flaws: FieldFlaw[] = [];
  if (!organizationName) flaws.push({ field: "organization_name", ...NAME_FLAW });
  if (slug !== undefined && !isSlug(slug)) flaws.push({ field: "organization_slug", ...SLUG_FLAW });
  if (owner.email !== undefined && !email) flaws.push({ field: "owner.email", ...emailFlaw(owner.email) });
  if (displayName === undefined) flaws.push({ field: "owner.display_name", ...NAME_FLAW });
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  if (!organizationName || displayName === undefined) throw new Error("a flaw was not listed");
  return ok({ organizationName, email, displayName });
}

async function permitNewOwner(
  deps: SignInDeps,
  { caller }: CreateForOwner,
  email: string,
): Promise<Result<void, Refusal<"conflict" | "forbidden">>> {
  const permitted = permitAddress(deps, caller, email);
  if (!permitted.ok) return permitted;
  const at = new Date(deps.clock.now());
  const isTaken = await deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, email, at));
  return isTaken ? err(EMAIL_TAKEN) : ok(undefined);
}

async function persist(
  deps: SignInDeps,
  sql: Sql,
  input: CreateForOwner,
  { organizationName: name, email, displayName, slug }: ValidInput & { readonly slug: string },
): Promise<Result<CreatedForOwner, CreationProblem>> {
  const { caller, owner, tier = deps.config.defaultTier, client } = input;
  const at = new Date(deps.clock.now());
  const organizationId = deps.random.uuid();
  const found = owner.userId === undefined ? ok(deps.random.uuid()) : await lockOwner(sql, input, owner.userId);
  if (!found.ok) return found;
  const ownerUserId = found.value;
  await sql`${insertOrganization(sql, { id: organizationId, name, slug, tier, at })}`;
  const created = { organizationId, organizationName: name, ownerUserId, email, displayName, at };
  const ownerTicket = await insertOwner(deps, sql, input, created);
  await sql`${insertMember(sql, { organizationId, userId: ownerUserId, role: "owner", at })}`;
  const event = {
    action: "organization.created",
    at,
    resource: { type: "organization", id: organizationId },
    metadata: { owner_user_id: ownerUserId, tier },
  } as const;
  await recordAudit(sql, userAuditEvent(deps, { ...caller.actor, organizationId }, client, event));
  return ok({ organizationId, ownerUserId, slug, ownerTicket });
}

/** An enabled user whom the caller may change. */
async function lockOwner(
  sql: Sql,
  { caller }: CreateForOwner,
  userId: string,
): Promise<Result<string, Refusal<"forbidden" | "invalid_input">>> {
  const target = await lockPlatformRole(sql, userId);
  if (!target) return err(UNKNOWN_OWNER);
  const ranked = permitRank(caller.role, target.role);
  if (!ranked.ok) return ranked;
  const profile = await findProfile(sql, userId);
  return profile?.disabled ? err(CLOSED_OWNER) : ok(userId);
}

interface OwnerToInsert {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly ownerUserId: string;
  /** Undefined: the owner exists. */
  readonly email: string | undefined;
  readonly displayName: string | null;
  readonly at: Date;
}

const WITHOUT_PASSWORD = {
  externalId: null,
  locale: null,
  timeZone: null,
  passwordHash: null,
  isNewPassword: false,
  emailVerified: false,
  disabled: false,
  publicMetadata: {},
  privateMetadata: {},
} as const;

/** Inserts a new owner without a password, and issues the link that sets the password. */
async function insertOwner(
  deps: SignInDeps,
  sql: Sql,
  { caller, owner, client }: CreateForOwner,
  { organizationId, organizationName, ownerUserId: id, email, displayName, at }: OwnerToInsert,
): Promise<OwnerTicket | undefined> {
  if (email === undefined || owner.email === undefined) return undefined;
  await sql`${insertAccount(sql, {
    ...WITHOUT_PASSWORD,
    id,
    email,
    displayName,
    lastOrganizationId: organizationId,
    createdAt: at,
    at,
  })}`;
  const resource = { type: "user", id } as const;
  const event = { action: "user.created", at, resource, metadata: { source: "api" } } as const;
  await recordAudit(sql, userAuditEvent(deps, caller.actor, client, event));
  const to = { email, displayName, locale: null, timeZone: null, isMailboxOwner: false };
  const issue = issueOrganizationReady(inertName(organizationName));
  const { token, mail, link } = issue(deps, { userId: id, to, tenants: { organizationId }, client, at });
  const issuedBy = owner.delivery === "mail" ? null : programCredentialId(caller.credential);
  const ticket = issuedBy === null ? {} : { ticket: { issuedBy, redirectTo: null } };
  await sql`${replaceMailedToken(sql, { ...token, ...ticket })}`;
  if (owner.delivery === "mail") {
    await sql`${insertEmail(sql, mail)}`;
    return undefined;
  }
  return { url: link, expiresAt: token.expiresAt };
}
