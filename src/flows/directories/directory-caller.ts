import type { RequestContext } from "../../base/request-context.ts";
import { ok } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time-units.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { type Directory, recordDirectoryUse } from "../../models/directory/directory.ts";
import { Omissions } from "../../models/directory/protocol/omissions.ts";
import { type ScimResult, scimProblem, scimRetry } from "../../models/directory/protocol/scim-problem.ts";
import type { KeyView } from "../../models/service-account/api-key.ts";
import type { Actor } from "../steps/audit/audit-event.ts";
import { programActor } from "../steps/audit/program-actor.ts";
import { isEntitledTo } from "../steps/authorization/entitlement.ts";
import { scimBaseUrl } from "./directory-link.ts";

export type DirectoryDeps = SignInDeps & Pick<Deps, "directoryRequests" | "domainDirectory">;

/** The API key of a directory, authorized for this request. */
export interface DirectoryCaller {
  readonly key: KeyView;
  readonly actor: Actor;
  readonly organizationId: string;
  readonly directory: Directory;
  readonly client: RequestContext;
  /** Ends in `/scim/v2`. */
  readonly baseUrl: string;
  /** What the request names and the service leaves out. */
  readonly omissions: Omissions;
}

const NO_DIRECTORY = scimProblem(403, "The organization of this key has no directory. Create the directory first.");
const NOT_ENTITLED = scimProblem(403, "Directories are not part of this organization's tier.");
const OF_THE_PLATFORM = scimProblem(403, "The key belongs to the platform, and directories belong to organizations.");

/** Finds the directory of the key's organization. */
export async function authorizeDirectory(
  deps: DirectoryDeps,
  key: KeyView,
  client: RequestContext,
): Promise<ScimResult<DirectoryCaller>> {
  const { organizationId } = key;
  if (organizationId === null) return OF_THE_PLATFORM;
  if (!(await isEntitledTo(deps, "scim", organizationId))) return NOT_ENTITLED;
  const directory = await deps.directoryRequests.find(organizationId);
  if (!directory) return NO_DIRECTORY;
  await recordUse(deps, directory);
  return ok({
    key,
    actor: programActor(key),
    organizationId,
    directory,
    client,
    baseUrl: scimBaseUrl(deps),
    omissions: new Omissions(),
  });
}

/** At most one write a minute. */
async function recordUse({ database, clock, directoryRequests }: DirectoryDeps, directory: Directory): Promise<void> {
  const { lastRequestAt } = directory;
  const at = new Date(clock.now());
  if (lastRequestAt !== null && at.getTime() - lastRequestAt.getTime() < MINUTE_MS) return;
  await database.run("directory.record_use", (sql) => recordDirectoryUse(sql, directory.id, at));
  directoryRequests.holdLastRequest(directory, at);
}

/** The resource of an id that the directory does not have. */
export const NO_SUCH_RESOURCE = scimProblem(404, "The directory has no such resource.");
/** The version of the resource differs from If-Match. */
export const VERSION_MISMATCH = scimProblem(412, "The resource has changed.");
export const PAUSED = scimRetry(503, "The directory is paused: changes are refused.", 3600);
