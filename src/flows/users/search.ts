import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { CSV_ROWS_MAX } from "../../limits/console-limits.ts";
import type { Profile } from "../../models/user/profile.ts";
import { countUsers, listUsers, type UserFilter } from "../../models/user/user-list.ts";
import type { UserSort } from "../../vocabulary/list-orders.ts";
import { validatePeriod } from "../audit/period.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

/** The filters of a request, before validation of the times. */
export interface UserSearch extends Partial<Omit<UserFilter, "createdFrom" | "createdTo">> {
  /** RFC 3339. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
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

/** GET /v1/admin/users (docs/contract.md, section 14.5). */
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
  const period = validatePeriod(createdFrom, createdTo, { from: "created_from", to: "created_to" });
  if (!period.ok) return period;
  const bounds = { createdFrom: period.value.from, createdTo: period.value.to };
  return ok({ q, disabled, platformRole, mfaEnabled, organizationId, ...bounds });
}
