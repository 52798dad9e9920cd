import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type ItemsAfter, itemsAfter, type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { CSV_ROWS_MAX } from "../../limits/console-limits.ts";
import type { AdministeredUser } from "../../models/user/administered-user.ts";
import { malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import type { Profile } from "../../models/user/profile.ts";
import {
  countUsers,
  listAdministeredUsers,
  listUsers,
  listUsersAfter,
  type UserFilter,
} from "../../models/user/user-list.ts";
import type { UserSort } from "../../vocabulary/list-orders.ts";
import { validatePeriod } from "../audit/period.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { isExternalId, NOT_AN_EXTERNAL_ID } from "./account-fields.ts";

/** The filters of a request, before validation of the times. */
export interface UserSearch
  extends Partial<Omit<UserFilter, "createdFrom" | "createdTo" | "lastLoginFrom" | "lastLoginTo">> {
  /** RFC 3339. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly lastLoginFrom?: string | undefined;
  readonly lastLoginTo?: string | undefined;
  /** Default: newest first. */
  readonly sort?: UserSort | undefined;
}

export interface UserSearchInput {
  /** A Viewer or higher. */
  readonly caller: PlatformCaller;
  readonly search: UserSearch;
  readonly page: Page;
}

type Searched<Value> = Promise<Result<Value, Refusal<"invalid_input">>>;

/** Whether the items contain metadata. */
interface WithMetadata {
  readonly withMetadata: boolean;
}

/** GET /v1/admin/users (docs/contract.md, section 14.5). */
export async function listUsersByPage(
  deps: Pick<Deps, "reads">,
  { caller, search, page, withMetadata }: UserSearchInput & WithMetadata,
): Searched<Listing<AdministeredUser>> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const found = await deps.reads.run("user.list_administered", caller.reader, (sql) =>
    listAdministeredUsers(sql, filter.value, search.sort ?? "-created_at", pageBounds(page), withMetadata),
  );
  return ok({ ...page, ...found });
}

/** GET /v1/admin/users by cursor: users that exist throughout appear exactly once. `after`: null for the first page. */
export async function listUsersByCursor(
  deps: Pick<Deps, "reads">,
  input: Omit<UserSearchInput, "page"> & WithMetadata & { readonly after: string | null; readonly pageSize: number },
): Searched<ItemsAfter<AdministeredUser>> {
  const { caller, search, after, pageSize, withMetadata } = input;
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const { items, total } = await deps.reads.run("user.list_after", caller.reader, (sql) =>
    listUsersAfter(sql, filter.value, { after, limit: pageSize }, withMetadata),
  );
  return ok(itemsAfter(items, { total, pageSize, idOf: ({ userId }) => userId }));
}

/** A page of users for the console. */
export async function searchUsers(
  deps: Pick<Deps, "reads">,
  { caller, search, page }: UserSearchInput,
): Searched<Listing<Profile>> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const found = await deps.reads.run("user.search", caller.reader, (sql) =>
    listUsers(sql, filter.value, search.sort ?? "-created_at", pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** The number of disabled users among the matching users, for the head of the list. */
export async function countDisabledUsers(
  deps: Pick<Deps, "reads">,
  { caller, search }: Omit<UserSearchInput, "page">,
): Searched<number> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  if (filter.value.disabled === false) return ok(0);
  const disabled = { ...filter.value, disabled: true };
  return ok(await deps.reads.run("user.count_disabled", caller.reader, (sql) => countUsers(sql, disabled)));
}

/** The first `CSV_ROWS_MAX` matching users, for a download. */
export async function exportUsers(
  deps: Pick<Deps, "reads">,
  { caller, search }: Omit<UserSearchInput, "page">,
): Searched<readonly Profile[]> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const bounds = { limit: CSV_ROWS_MAX, offset: 0 };
  const { items } = await deps.reads.run("user.export", caller.reader, (sql) =>
    listUsers(sql, filter.value, search.sort ?? "-created_at", bounds),
  );
  return ok(items);
}

function validateFilter(search: UserSearch): Result<UserFilter, Refusal<"invalid_input">> {
  const { createdFrom, createdTo, q, disabled, platformRole, mfaEnabled, organizationId } = search;
  const { externalId, managedBy, lastLoginFrom, lastLoginTo } = search;
  const logins = validatePeriod(lastLoginFrom, lastLoginTo, { from: "last_login_from", to: "last_login_to" });
  if (!logins.ok) return logins;
  const email = search.email === undefined ? undefined : normalizeEmail(search.email);
  if (search.email !== undefined && email === undefined) return err(malformedEmail("email", search.email));
  if (externalId !== undefined && !isExternalId(externalId)) return err(NOT_AN_EXTERNAL_ID);
  const period = validatePeriod(createdFrom, createdTo, { from: "created_from", to: "created_to" });
  if (!period.ok) return period;
  const bounds = { createdFrom: period.value.from, createdTo: period.value.to };
  const exact = { email, externalId, managedBy, lastLoginFrom: logins.value.from, lastLoginTo: logins.value.to };
  return ok({ q, disabled, platformRole, mfaEnabled, organizationId, ...exact, ...bounds });
}
