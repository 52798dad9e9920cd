import { ok } from "../../base/result.ts";
import { readPaging } from "../../models/directory/protocol/paging.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";
import {
  type ListParameters,
  listGroupResources,
  listHead,
  listUserResources,
  type ResourceList,
} from "./read-resources.ts";

const NO_CURSOR = scimError("invalidCursor", "A search of users and groups together has pages by index only.");

/**
 * POST /scim/v2/.search: users and then groups (RFC 7644, section 3.4.3). A filter of users selects no group; any other
 * problem is the problem of the whole search.
 */
export async function searchEverything(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  parameters: ListParameters,
): Promise<ScimResult<ResourceList>> {
  if (parameters.cursor !== undefined) return NO_CURSOR;
  const paging = readPaging(parameters, deps.clock.now());
  if (!paging.ok) return paging;
  const startIndex = paging.value.method === "index" ? paging.value.startIndex : 1;
  const users = await listUserResources(deps, caller, parameters);
  const userTotal = users.ok ? users.value.totalResults : 0;
  const ofUsers = users.ok ? users.value.resources : [];
  const groups = await listGroupResources(deps, caller, {
    ...parameters,
    startIndex: String(Math.max(1, startIndex - userTotal)),
    count: String(paging.value.count - ofUsers.length),
  });
  const refused = [users, groups].find((listed) => !listed.ok && listed.error.scimType !== "invalidFilter");
  if (refused && !refused.ok) return refused;
  if (!users.ok && !groups.ok) return users;
  const resources = [...ofUsers, ...(groups.ok ? groups.value.resources : [])];
  const totalResults = userTotal + (groups.ok ? groups.value.totalResults : 0);
  return ok({ head: listHead(totalResults, resources.length, { startIndex }), totalResults, resources });
}
