import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { type ItemsAfter, itemsAfter, type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { CSV_ROWS_MAX } from "../../limits/console-limits.ts";
import { findOrganizationBySlug, type Organization } from "../../models/organization/organization.ts";
import {
  countOrganizations,
  listOrganizations,
  listOrganizationsAfter,
  type OrganizationFilter,
} from "../../models/organization/organization-list.ts";
import { isSlug } from "../../models/organization/slug.ts";
import type { OrganizationSort } from "../../vocabulary/list-orders.ts";
import { validatePeriod } from "../audit/period.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

/** The filters of a request, before validation of the times. */
export interface OrganizationSearch extends Partial<Omit<OrganizationFilter, "createdFrom" | "createdTo">> {
  /** RFC 3339. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  /** Default: newest first. */
  readonly sort?: OrganizationSort | undefined;
}

export interface OrganizationSearchInput {
  /** A Viewer or higher. */
  readonly caller: PlatformCaller;
  readonly search: OrganizationSearch;
  readonly page: Page;
}

type Searched<Value> = Promise<Result<Value, Refusal<"invalid_input">>>;

/** GET /v1/admin/orgs (docs/contract.md, section 14.2). */
export async function searchOrganizations(
  deps: Pick<Deps, "reads">,
  { caller, search, page }: OrganizationSearchInput,
): Searched<Listing<Organization>> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const ids = caller.organizations ?? undefined;
  const found = await deps.reads.run("organization.list", caller.reader, (sql) =>
    listOrganizations(sql, { ...filter.value, ids }, search.sort ?? "-created_at", pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** GET /v1/admin/orgs by cursor: organizations that exist throughout appear exactly once. */
export async function listOrganizationsByCursor(
  deps: Pick<Deps, "reads">,
  input: Omit<OrganizationSearchInput, "page"> & { readonly after: string | null; readonly pageSize: number },
): Searched<ItemsAfter<Organization>> {
  const { caller, search, after, pageSize } = input;
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const ids = caller.organizations ?? undefined;
  const { items, total } = await deps.reads.run("organization.list_after", caller.reader, (sql) =>
    listOrganizationsAfter(sql, { ...filter.value, ids }, { after, limit: pageSize }),
  );
  return ok(itemsAfter(items, { total, pageSize, idOf: ({ id }) => id }));
}

/** The organization with a slug; undefined for any other text. `caller`: a Viewer or higher. */
export async function findOrganizationOf(
  deps: Pick<Deps, "reads">,
  caller: PlatformCaller,
  slug: string,
): Promise<Organization | undefined> {
  // PostgreSQL rejects a text with NUL.
  if (!isSlug(slug)) return undefined;
  return await deps.reads.run("organization.find_by_slug", caller.reader, (sql) => findOrganizationBySlug(sql, slug));
}

/** The number of suspended organizations among the matching organizations, for the head of the list. */
export async function countSuspendedOrganizations(
  deps: Pick<Deps, "reads">,
  { caller, search }: Omit<OrganizationSearchInput, "page">,
): Searched<number> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  if (filter.value.suspended === false) return ok(0);
  const suspended = { ...filter.value, suspended: true };
  const count = await deps.reads.run("organization.count_suspended", caller.reader, (sql) =>
    countOrganizations(sql, suspended),
  );
  return ok(count);
}

/** The first `CSV_ROWS_MAX` matching organizations, for a download. */
export async function exportOrganizations(
  deps: Pick<Deps, "reads">,
  { caller, search }: Omit<OrganizationSearchInput, "page">,
): Searched<readonly Organization[]> {
  const filter = validateFilter(search);
  if (!filter.ok) return filter;
  const bounds = { limit: CSV_ROWS_MAX, offset: 0 };
  const { items } = await deps.reads.run("organization.export", caller.reader, (sql) =>
    listOrganizations(sql, filter.value, search.sort ?? "-created_at", bounds),
  );
  return ok(items);
}

function validateFilter(search: OrganizationSearch): Result<OrganizationFilter, Refusal<"invalid_input">> {
  const { createdFrom, createdTo, q, suspended, tier, slug } = search;
  const period = validatePeriod(createdFrom, createdTo, { from: "created_from", to: "created_to" });
  if (!period.ok) return period;
  return ok({ q, suspended, tier, slug, createdFrom: period.value.from, createdTo: period.value.to });
}
