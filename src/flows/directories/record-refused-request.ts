import { SCIM_PATH_LOGGED_MAX_CHARACTERS } from "../../limits/directory-limits.ts";
import { insertRefusedRequest, type RefusedRequest } from "../../models/directory/refused-request.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";

/** Statuses of an ordinary provisioning cycle: directories look for users that do not exist yet. */
const ORDINARY: ReadonlySet<number> = new Set([404]);

/** Records a refused request for administrators of the organization. */
export async function recordRefusedRequest(
  { database, clock, random }: DirectoryDeps,
  { directory, client }: DirectoryCaller,
  request: Pick<RefusedRequest, "method" | "path" | "status" | "scimType" | "detail">,
): Promise<void> {
  if (ORDINARY.has(request.status)) return;
  const path = request.path.slice(0, SCIM_PATH_LOGGED_MAX_CHARACTERS).replace(/[^\x20-\x7e]/g, "");
  const recorded = {
    ...request,
    path,
    id: random.uuid(),
    at: new Date(clock.now()),
    requestId: client.requestId ?? "",
  };
  await database.run("directory_request.insert", (sql) => insertRefusedRequest(sql, directory.id, recorded));
}
