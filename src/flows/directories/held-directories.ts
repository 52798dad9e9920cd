/**
 * Directories that requests found within the last second. Directories send requests in bursts, and a request needs only
 * the id: every change reads the directory again under its lock, and a deleted directory has no records.
 */
import { LRUCache } from "lru-cache";
import type { Deps } from "../../deps.ts";
import { DIRECTORIES_HELD_MAX, DIRECTORY_HELD_MS } from "../../limits/directory-limits.ts";
import { type Directory, findDirectory } from "../../models/directory/directory.ts";

interface Held {
  readonly directory: Directory;
  readonly until: number;
}

const held = new LRUCache<string, Held>({ max: DIRECTORIES_HELD_MAX });

/** The directory of an organization, up to a second old. */
export async function findHeldDirectory(
  { database, clock }: Pick<Deps, "clock" | "database">,
  organizationId: string,
): Promise<Directory | undefined> {
  const now = clock.monotonic();
  const found = held.get(organizationId);
  if (found && now < found.until) return found.directory;
  const directory = await database.run("directory.find", (sql) => findDirectory(sql, organizationId));
  if (directory) held.set(organizationId, { directory, until: now + DIRECTORY_HELD_MS });
  else held.delete(organizationId);
  return directory;
}

/** Keeps the recorded time of the last request, so that no further request of the second records the time. */
export function holdLastRequest(directory: Directory, lastRequestAt: Date): void {
  const found = held.get(directory.organizationId);
  if (found) held.set(directory.organizationId, { ...found, directory: { ...directory, lastRequestAt } });
}

/** Called after the deletion of a directory; other replicas forget the directory within a second. */
export function forgetDirectory(organizationId: string): void {
  held.delete(organizationId);
}
