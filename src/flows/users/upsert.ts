/** The creation or change of a user by the key of a program (docs/contract.md, section 36.1). */
import { type FieldFlaw, hasFlaws, invalidFields } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { UPSERT_ATTEMPTS_MAX } from "../../limits/management-limits.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import {
  type AdministeredUser,
  findAdministeredUser,
  findUserByExternalId,
} from "../../models/user/administered-user.ts";
import { isAdoptable } from "../../models/user/control.ts";
import { findUserIdByEmail } from "../../models/user/user-address.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import { permitAddress } from "../steps/authorization/protected-users.ts";
import { permitReplacement, replaceAddressIn } from "../user-emails/replace-address.ts";
import { type AccountAuthor, type AuthorizedMembership, authorizeMemberships } from "./account-author.ts";
import { type AccountFields, type ValidFields, validateFields } from "./account-fields.ts";
import { NO_SUCH_USER } from "./administer.ts";
import { changedMembers, changeUnderLock } from "./change-account.ts";
import { type CreationProblem, createUser } from "./create.ts";
import { refuseTakenAddress } from "./replace-credentials.ts";
import { applyMemberships, membershipsDiffer } from "./upsert-memberships.ts";

export interface UpsertInput extends AccountAuthor {
  readonly externalId: string;
  readonly fields: AccountFields;
  /** True: a user with the address and without an external id gets the external id. */
  readonly adoptByEmail: boolean;
}

export interface Upserted {
  readonly user: AdministeredUser;
  readonly created: boolean;
}

type UpsertProblem = CreationProblem | Refusal<"not_found">;

const OTHER_ID: FieldFlaw = { field: "external_id", rule: "conflicting", text: "differs from the path" };
const NEEDS_CREDENTIALS = byRule(
  "permission",
  refusal("forbidden", "A change of the address needs the permission users.credentials."),
  "users.credentials",
);
const CHANGED_MEANWHILE = refusal("conflict", "The user changed at every attempt. Send the request again.");

/**
 * PUT /v1/admin/users/by-external-id/:external_id: creates the user, or sets the given members of the existing user.
 * Without a difference nothing is written. Of parallel requests one creates.
 */
export async function upsertUser(deps: SignInDeps, input: UpsertInput): Promise<Result<Upserted, UpsertProblem>> {
  const { externalId } = input;
  const { fields, flaws } = validateFields({ ...input.fields, externalId }, deps.clock.now());
  const differs = typeof input.fields.externalId === "string" && input.fields.externalId !== externalId;
  const all = differs ? [OTHER_ID, ...flaws] : flaws;
  if (hasFlaws(all)) return err(invalidFields(all));
  for (let attempt = 0; attempt < UPSERT_ATTEMPTS_MAX; attempt += 1) {
    const outcome = await upsertOnce(deps, input, fields);
    if (outcome) return outcome;
  }
  return err(CHANGED_MEANWHILE);
}

/** Undefined: another request created, adopted or deleted the user meanwhile. */
async function upsertOnce(
  deps: SignInDeps,
  input: UpsertInput,
  fields: ValidFields,
): Promise<Result<Upserted, UpsertProblem> | undefined> {
  const { externalId, adoptByEmail } = input;
  const found = await deps.database.run("user.find_by_external_id", (sql) => findUserByExternalId(sql, externalId));
  if (found) return await changeFound(deps, input, found, fields);
  const adopted = adoptByEmail ? await findAdopted(deps, fields.email) : undefined;
  if (adopted) return await changeFound(deps, input, adopted, fields);
  const createdAt = fields.createdAt?.toISOString();
  const created = await createUser(deps, { ...input, fields: { ...fields, createdAt }, source: "api" });
  if (created.ok) return ok({ user: created.value, created: true });
  if (created.error.code !== "conflict" || !(await isCreated(deps, externalId))) return created;
  return undefined;
}

async function isCreated(deps: SignInDeps, externalId: string): Promise<boolean> {
  const user = await deps.database.run("user.find_by_external_id", (sql) => findUserByExternalId(sql, externalId));
  return user !== undefined;
}

/** Undefined too for an account that a stranger may have registered with the address: the request is then 409. */
async function findAdopted(deps: SignInDeps, email: string | undefined): Promise<AdministeredUser | undefined> {
  if (email === undefined) return undefined;
  const userId = await deps.database.run("user.find_by_email", (sql) => findUserIdByEmail(sql, email, undefined));
  if (userId === undefined) return undefined;
  const user = await deps.database.run("user.find_administered", (sql) => findAdministeredUser(sql, userId));
  if (user?.externalId !== null) return undefined;
  // The rank of a user with a platform role refuses the request later, with 403.
  if (user.platformRole !== null) return user;
  const isFree = await deps.database.run("user.is_adoptable", (sql) => isAdoptable(sql, userId));
  return isFree ? user : undefined;
}

async function changeFound(
  deps: SignInDeps,
  input: UpsertInput,
  found: AdministeredUser,
  fields: ValidFields,
): Promise<Result<Upserted, UpsertProblem> | undefined> {
  const { caller, client, externalId } = input;
  const isAdoption = found.externalId === null;
  if (isAdoption) {
    const permitted = permitAddress(deps, caller, found.email);
    if (!permitted.ok) return permitted;
  }
  const memberships = await authorizeMemberships(deps, input, fields.memberships ?? []);
  if (!memberships.ok) return memberships;
  // The address of an adoption finds the user, and may be an additional address.
  const email = isAdoption || fields.email === found.email ? undefined : fields.email;
  if (!(await differs(deps, found, fields, email, memberships.value))) return ok({ user: found, created: false });
  if (email !== undefined && !input.holds("users.credentials")) return err(NEEDS_CREDENTIALS);
  const reserved = email === undefined ? ok(undefined) : permitAddress(deps, caller, email);
  if (!reserved.ok) return reserved;
  const target = { caller, userId: found.userId, client };
  const values = { ...fields, externalId };
  const disabled = fields.disabled === found.disabled ? undefined : fields.disabled;
  let isStale = false;
  const changed = await refuseTakenAddress(() =>
    changeUnderLock<"conflict" | "forbidden" | "invalid_input">(deps, target, disabled, async (before, sql) => {
      isStale = before.externalId !== found.externalId;
      if (isStale) return err(CHANGED_MEANWHILE);
      const at = new Date(deps.clock.now());
      if (email !== undefined) {
        const { userId, managedBy } = before;
        const permitted = await permitReplacement(sql, { userId, managedBy, email, at });
        if (!permitted.ok) return permitted;
      }
      const further = async (inner: Sql) => [
        ...(await applyMemberships(deps, inner, { memberships: memberships.value, user: before, client, at })),
        ...(await changeAddress(deps, inner, { ...target, before, email, at })),
      ];
      return ok({ values, further });
    }),
  );
  if (isStale || (!changed.ok && changed.error === NO_SUCH_USER)) return undefined;
  if (!changed.ok) return changed;
  deps.outbox.wake();
  return ok({ user: changed.value, created: false });
}

async function differs(
  deps: SignInDeps,
  found: AdministeredUser,
  fields: ValidFields,
  email: string | undefined,
  memberships: readonly AuthorizedMembership[],
): Promise<boolean> {
  if (email !== undefined || changedMembers(found, fields).length > 0) return true;
  if (fields.disabled !== undefined && fields.disabled !== found.disabled) return true;
  if (memberships.length === 0) return false;
  return await deps.database.run("member.differ", (sql) => membershipsDiffer(sql, found.userId, memberships));
}

interface ChangedAddress extends Pick<AccountAuthor, "caller" | "client"> {
  readonly userId: string;
  readonly before: AdministeredUser;
  /** Undefined: the address stays. */
  readonly email: string | undefined;
  readonly at: Date;
}

async function changeAddress(
  deps: SignInDeps,
  sql: Sql,
  { caller, userId, before, email, client, at }: ChangedAddress,
): Promise<readonly SessionEvent[]> {
  if (email === undefined) return [];
  const { managedBy } = before;
  return await replaceAddressIn(deps, sql, {
    actor: caller.actor,
    userId,
    managedBy,
    email,
    verified: false,
    client,
    at,
  });
}
