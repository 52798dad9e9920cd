/** The creation of a user by an administrator or a program (docs/contract.md, section 36.1). */
import { type FieldFlaw, hasFlaws, invalidFields, REQUIRED } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import { decideInTransaction } from "../../database/decide.ts";
import { cte, withParts } from "../../database/statement.ts";
import type { SignInDeps } from "../../deps.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import {
  type AdministeredUser,
  EXTERNAL_ID_CONSTRAINT,
  findAdministeredUser,
  takenExternalIds,
} from "../../models/user/administered-user.ts";
import { insertAccount, type NewAccount } from "../../models/user/new-account.ts";
import { emailIsTaken, isAddressConstraint } from "../../models/user/user-address.ts";
import { insertVouchedPrimary } from "../../models/user-email/vouched-address.ts";
import { type AddingProblem, addMember } from "../steps/accounts/add-member.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitAddress } from "../steps/authorization/protected-users.ts";
import { validateNewPassword } from "../steps/credentials/replace-password.ts";
import { hashPasswordFor } from "../steps/sign-in/verify-password.ts";
import {
  type AccountAuthor,
  type AuthorizedMembership,
  authorizeMemberships,
  ofMemberships,
} from "./account-author.ts";
import { type AccountFields, type ValidFields, validateFields } from "./account-fields.ts";

export interface CreateUserInput extends AccountAuthor {
  readonly fields: AccountFields;
  readonly source: "api" | "batch" | "console";
}

export type CreationProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "rate_limited">;

export const EMAIL_TAKEN = {
  ...refusal("conflict", "This email address is already registered."),
  reason: "email_taken",
} as const;
export const EXTERNAL_ID_TAKEN = {
  ...refusal("conflict", "This external_id belongs to another user."),
  reason: "external_id_taken",
} as const;
const NO_EMAIL: FieldFlaw = { field: "email", ...REQUIRED };

/** POST /v1/admin/users: sends no email. Every problem comes before the first write. */
export async function createUser(
  deps: SignInDeps,
  input: CreateUserInput,
): Promise<Result<AdministeredUser, CreationProblem>> {
  const created = await createAccount(deps, input);
  if (!created.ok) return created;
  const user = await deps.database.run("user.find_administered", (sql) => findAdministeredUser(sql, created.value));
  if (!user) throw new Error("a created user does not exist");
  return ok(user);
}

/** Creates the account; returns the id. */
export async function createAccount(
  deps: SignInDeps,
  input: CreateUserInput,
): Promise<Result<string, CreationProblem>> {
  const { fields, flaws } = validateFields(input.fields, deps.clock.now());
  const { email } = fields;
  const all = input.fields.email === undefined ? [NO_EMAIL, ...flaws] : flaws;
  if (hasFlaws(all)) return err(invalidFields(all));
  if (email === undefined) throw new Error("a flaw was not listed");
  const permitted = permitAddress(deps, input.caller, email);
  if (!permitted.ok) return permitted;
  const memberships = await authorizeMemberships(deps, input, fields.memberships ?? []);
  if (!memberships.ok) return memberships;
  // A row of a batch costs one statement: the index decides alone.
  const free = input.source === "batch" ? ok(undefined) : await permitNames(deps, email, fields.externalId ?? null);
  if (!free.ok) return free;
  const organizationIds = memberships.value.map(({ caller }) => caller.organizationId);
  const passwordHash = await hashOf(deps, fields, organizationIds, input.client);
  if (!passwordHash.ok) return passwordHash;
  return await persistAccount(deps, input, { ...fields, email }, memberships.value, passwordHash.value);
}

/** Read before the costly hash; the unique indexes decide. */
async function permitNames(
  deps: SignInDeps,
  email: string,
  externalId: string | null,
): Promise<Result<void, Refusal<"conflict">>> {
  const at = new Date(deps.clock.now());
  const [isTaken, taken] = await Promise.all([
    deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, email, at)),
    externalId === null
      ? undefined
      : deps.database.run("user.taken_external_ids", (sql) => takenExternalIds(sql, [externalId])),
  ]);
  if (taken?.size) return err(EXTERNAL_ID_TAKEN);
  return isTaken ? err(EMAIL_TAKEN) : ok(undefined);
}

/** The hash to store: of the given password, as given, or null. */
export async function hashOf(
  deps: SignInDeps,
  { password, passwordHash }: Pick<ValidFields, "password" | "passwordHash">,
  organizationIds: readonly string[],
  client: RequestContext,
): Promise<Result<string | null, Refusal<"invalid_input" | "rate_limited">>> {
  if (password === undefined) return ok(passwordHash ?? null);
  const valid = await validateNewPassword(deps, "password", password, { organizationIds });
  if (!valid.ok) return err(invalidFields([valid.error]));
  return await hashPasswordFor(deps, valid.value, client);
}

async function persistAccount(
  deps: SignInDeps,
  input: CreateUserInput,
  fields: ValidFields & { readonly email: string },
  memberships: readonly AuthorizedMembership[],
  passwordHash: string | null,
): Promise<Result<string, AddingProblem>> {
  const at = new Date(deps.clock.now());
  const account: NewAccount = {
    id: deps.random.uuid(),
    email: fields.email,
    externalId: fields.externalId ?? null,
    displayName: fields.displayName ?? null,
    locale: fields.locale ?? null,
    timeZone: fields.timeZone ?? null,
    passwordHash,
    isNewPassword: fields.password !== undefined,
    emailVerified: fields.emailVerified ?? false,
    disabled: fields.disabled ?? false,
    lastOrganizationId: memberships[0]?.caller.organizationId ?? null,
    publicMetadata: fields.publicMetadata ?? {},
    privateMetadata: fields.privateMetadata ?? {},
    createdAt: fields.createdAt ?? at,
    at,
  };
  const entry = userAuditEvent(deps, input.caller.actor, input.client, {
    action: "user.created",
    at,
    resource: { type: "user", id: account.id },
    metadata: { source: input.source },
  });
  try {
    if (memberships.length > 0) return await persistMember(deps, input, account, memberships, entry);
    await deps.database.run("user.create", (sql) => insertAlone(sql, account, entry));
    return ok(account.id);
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === EXTERNAL_ID_CONSTRAINT) return err(EXTERNAL_ID_TAKEN);
    if (isAddressConstraint(constraint)) return err(EMAIL_TAKEN);
    throw error;
  }
}

/** One statement, for the rows of a batch: the account, the mark of a vouched address, and the record. */
async function insertAlone(sql: Sql, account: NewAccount, entry: AuditEntry): Promise<void> {
  const created = cte(sql, "created");
  await sql`
    ${withParts(sql, {
      created: insertAccount(sql, account),
      ...(account.emailVerified && { address: insertVouchedPrimary(sql, account, created) }),
    })}
    ${insertAudit(sql, entry, sql`from ${created}`)}`;
}

/** All memberships or none: a refused membership rolls the account back. */
async function persistMember(
  deps: SignInDeps,
  { client }: CreateUserInput,
  account: NewAccount,
  memberships: readonly AuthorizedMembership[],
  entry: AuditEntry,
): Promise<Result<string, AddingProblem>> {
  const { id: userId, email, displayName, locale, timeZone, emailVerified, at } = account;
  const user = { userId, email, displayName, locale, timeZone, isMailboxOwner: emailVerified };
  return await decideInTransaction(deps.database, "user.create_member", async (sql) => {
    await insertAlone(sql, account, entry);
    for (const { caller, role = "member", roleIds = [] } of memberships) {
      const member = { caller, user, isNewUser: true, role, roleIds, notify: false, client, at };
      const added = await addMember(deps, sql, member);
      if (!added.ok) return err(ofMemberships(added.error));
    }
    return ok(userId);
  });
}
