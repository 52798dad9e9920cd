/** Changes of an account by an administrator or a program (docs/contract.md, sections 14.6 and 36.1). */
import { isDeepStrictEqual } from "node:util";
import { hasFlaws, invalidFields } from "../../base/invalid-input.ts";
import type { ProblemCode, Refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import type { SessionDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { recordClosedOtherwise } from "../../models/deletion/deletion.ts";
import { deleteAllMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { mergeMetadata } from "../../models/metadata/metadata.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import {
  type AccountValues,
  type AdministeredUser,
  EXTERNAL_ID_CONSTRAINT,
  findAdministeredUser,
  updateAccountValues,
} from "../../models/user/administered-user.ts";
import { lockPlatformOwnersOf } from "../../models/user/closing-user.ts";
import { setDisabled } from "../../models/user/profile.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { type AccountFields, metadataFlaw, type ValidFields, validateFields } from "./account-fields.ts";
import {
  type AdministerUser,
  administerUnderLock,
  endAllSessions,
  NO_SUCH_USER,
  permitDisabling,
} from "./administer.ts";
import { EXTERNAL_ID_TAKEN } from "./create.ts";

export type ChangeProblem = "conflict" | "forbidden" | "invalid_input" | "not_found";

/** The members that PATCH and PUT set alike. */
type ValueFields = Pick<
  ValidFields,
  "displayName" | "locale" | "timeZone" | "externalId" | "publicMetadata" | "privateMetadata"
>;

/**
 * PATCH /v1/admin/users/:id: merges metadata, and sets the further given members. Disabling ends all sessions. Returns
 * the user after the change.
 */
export async function changeAccount(
  deps: SessionDeps,
  input: AdministerUser & { readonly fields: AccountFields },
): Promise<Result<AdministeredUser, Refusal<ChangeProblem>>> {
  const { fields, flaws } = validateFields(input.fields, deps.clock.now());
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  return await changeUnderLock(deps, input, fields.disabled, async (before) => {
    const merged = {
      ...fields,
      publicMetadata: fields.publicMetadata && mergeMetadata(before.publicMetadata ?? {}, fields.publicMetadata),
      privateMetadata: fields.privateMetadata && mergeMetadata(before.privateMetadata ?? {}, fields.privateMetadata),
    };
    const metadataFlaws = [
      metadataFlaw("public_metadata", merged.publicMetadata),
      metadataFlaw("private_metadata", merged.privateMetadata),
    ].filter((flaw) => flaw !== undefined);
    return hasFlaws(metadataFlaws) ? err(invalidFields(metadataFlaws)) : ok({ values: merged });
  });
}

/** What a decision under lock leads to. */
interface PlannedChange {
  readonly values: ValueFields;
  /** Further work of the transaction, after the values. Returns the events to announce. */
  readonly further?: (sql: Sql, at: Date) => Promise<readonly SessionEvent[]>;
}

/**
 * Changes a user under lock: `decide` reads the user before the first write. Unchanged values are neither written nor
 * recorded. `disabled`: undefined for an unchanged state.
 */
export async function changeUnderLock<Problem extends ProblemCode>(
  deps: SessionDeps,
  input: AdministerUser,
  disabled: boolean | undefined,
  decide: (before: AdministeredUser, sql: Sql) => Promise<Result<PlannedChange, Refusal<Problem>>>,
): Promise<Result<AdministeredUser, Refusal<Problem | "conflict" | "forbidden" | "not_found">>> {
  const { userId } = input;
  if (!isUuid(userId)) return err(NO_SUCH_USER);
  let planned: { readonly before: AdministeredUser; readonly change: PlannedChange } | undefined;
  const guard = async (sql: Sql): Promise<Result<void, Refusal<Problem | "conflict" | "not_found">>> => {
    const before = await findAdministeredUser(sql, userId);
    if (!before) return err(NO_SUCH_USER);
    const permitted = disabled ? await permitDisabling(sql, userId) : ok(undefined);
    if (!permitted.ok) return permitted;
    const change = await decide(before, sql);
    if (!change.ok) return change;
    planned = { before, change: change.value };
    return ok(undefined);
  };
  const lockOwners = async (sql: Sql) => (disabled ? await lockPlatformOwnersOf(sql, userId) : undefined);
  const work = async (sql: Sql, at: Date) => {
    if (!planned) throw new Error("a change was not decided");
    const { before, change } = planned;
    await storeValues(deps, sql, input, { before, values: change.values, at });
    const ended = disabled === undefined ? [] : await storeDisabled(deps, sql, input, disabled, at);
    return [...ended, ...((await change.further?.(sql, at)) ?? [])];
  };
  const outcome = await refuseTaken(() => administerUnderLock(deps, input, guard, work, lockOwners));
  if (!outcome.ok) return outcome;
  const user = await deps.database.run("user.find_administered", (sql) => findAdministeredUser(sql, userId));
  return user ? ok(user) : err(NO_SUCH_USER);
}

async function refuseTaken<T, E>(work: () => Promise<Result<T, E>>): Promise<Result<T, E | Refusal<"conflict">>> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) === EXTERNAL_ID_CONSTRAINT) return err(EXTERNAL_ID_TAKEN);
    throw error;
  }
}

const WIRE_NAMES = {
  displayName: "display_name",
  locale: "locale",
  timeZone: "time_zone",
  externalId: "external_id",
  publicMetadata: "public_metadata",
  privateMetadata: "private_metadata",
} as const satisfies Readonly<Record<keyof AccountValues, string>>;

/** The names on the wire of the members that differ from the stored values. */
export function changedMembers(before: AdministeredUser, values: ValueFields): readonly string[] {
  const members = Object.keys(WIRE_NAMES) as (keyof AccountValues)[];
  return members
    .filter((member) => values[member] !== undefined && !isDeepStrictEqual(values[member], stored(before)[member]))
    .map((member) => WIRE_NAMES[member]);
}

function stored(user: AdministeredUser): AccountValues {
  return { ...user, publicMetadata: user.publicMetadata ?? {}, privateMetadata: user.privateMetadata ?? {} };
}

/** Stores and records changed values. The record names the members and no value: more people read the trail. */
async function storeValues(
  deps: SessionDeps,
  sql: Sql,
  { caller, userId, client }: AdministerUser,
  { before, values, at }: { readonly before: AdministeredUser; readonly values: ValueFields; readonly at: Date },
): Promise<void> {
  const fields = changedMembers(before, values);
  if (fields.length === 0) return;
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const after = { ...stored(before), ...Object.fromEntries(present) };
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "user.updated",
    at,
    resource: { type: "user", id: userId },
    metadata: { fields: fields.join(" ") },
  });
  await sql`
    with changed as (${updateAccountValues(sql, userId, after, at)})
    ${insertAudit(sql, entry, sql`from changed`)}`;
}

async function storeDisabled(
  deps: SessionDeps,
  sql: Sql,
  input: AdministerUser,
  disabled: boolean,
  at: Date,
): Promise<readonly SessionEvent[]> {
  const { userId } = input;
  const entry = userAuditEvent(deps, input.caller.actor, input.client, {
    action: disabled ? "user.disabled" : "user.enabled",
    at,
    resource: { type: "user", id: userId },
  });
  await sql`
    with changed as (${setDisabled(sql, userId, disabled, at)}),
    links as (${deleteAllMailedTokens(sql, userId)})
    ${insertAudit(sql, entry, sql`from changed`)}`;
  // While a deletion is pending the user stays disabled; the decision counts after a cancellation.
  await recordClosedOtherwise(sql, "user", userId, disabled);
  return disabled ? await endAllSessions(deps, sql, input, "user_disabled") : [];
}
