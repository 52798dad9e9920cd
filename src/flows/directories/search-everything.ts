import { ok } from "../../base/result.ts";
import type { JsonRecord } from "../../models/directory/protocol/json.ts";
import { readPaging } from "../../models/directory/protocol/paging.ts";
import { LIST_SCHEMA } from "../../models/directory/protocol/resources.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";
import { type ListParameters, listGroupResources, listUserResources } from "./read-resources.ts";

const NO_CURSOR = scimError("invalidCursor", "A search of users and groups together has pages by index only.");

/** POST /scim/v2/.search: users and then groups (RFC 7644, section 3.4.3). A filter of users selects no group. */
export async function searchEverything(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<JsonRecord>> {
  if (parameters.cursor !== undefined) return NO_CURSOR;
  const paging = readPaging(parameters, deps.clock.now());
  if (!paging.ok) return paging;
  const startIndex = paging.value.method === "index" ? paging.value.startIndex : 1;
  const users = await listUserResources(deps, caller, parameters);
  const userTotal = users.ok ? Number(users.value.totalResults) : 0;
  const ofUsers = users.ok ? resourcesOf(users.value) : [];
  const groups = await listGroupResources(deps, caller, {
    ...parameters,
    startIndex: String(Math.max(1, startIndex - userTotal)),
    count: String(paging.value.count - ofUsers.length),
  });
  if (!users.ok && !groups.ok) return users;
  const resources = [...ofUsers, ...(groups.ok ? resourcesOf(groups.value) : [])];
  const totalResults = userTotal + (groups.ok ? Number(groups.value.totalResults) : 0);
  const { length: itemsPerPage } = resources;
  return ok({ schemas: [LIST_SCHEMA], totalResults, itemsPerPage, startIndex, Resources: resources });
}

function resourcesOf({ Resources }: JsonRecord): readonly JsonRecord[] {
  return Resources as readonly JsonRecord[];
}
