import { keyedTurns } from "../../base/keyed-turns.ts";
import { err, ok } from "../../base/result.ts";
import { violatedConstraint } from "../../database/database.ts";
import { DIRECTORY_WRITES_MAX } from "../../limits/directory-limits.ts";
import { lockDirectoryWithKey } from "../../models/directory/directory.ts";
import {
  type ScimProblem,
  type ScimResult,
  scimProblem,
  scimRetry,
} from "../../models/directory/protocol/scim-problem.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { type DirectoryCaller, type DirectoryDeps, PAUSED } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";

/** Writes of one organization occupy one connection of a replica, so that other organizations are not delayed. */
const turns = keyedTurns(DIRECTORY_WRITES_MAX);
const OPEN_INVITATION = "invitations_open_key";
export const BUSY = scimRetry(429, "Too many changes wait. Try again later.", 5);
const KEY_ENDED = scimProblem(401, "The key is not valid.");

/** A problem inside a transaction: thrown, so that the transaction is rolled back as a whole. */
class RolledBack extends Error {
  readonly problem: ScimProblem;
  constructor(problem: ScimProblem) {
    super("refused");
    this.problem = problem;
  }
}

type Work<T> = (write: DirectoryWrite) => Promise<ScimResult<T>>;

/** Runs work after earlier writes of the organization on this replica; undefined at once if too many writes wait. */
export function takeTurn<T>({ organizationId }: DirectoryCaller, work: () => Promise<T>): Promise<T> | undefined {
  return turns.run(organizationId, work);
}

/**
 * Runs a write of a directory in one transaction, after earlier writes of the directory on every replica. A problem
 * rolls everything back. Session events are announced after the commit.
 */
export async function runDirectoryWrite<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: Work<T>,
): Promise<ScimResult<T>> {
  return (await takeTurn(caller, () => runInTurn(deps, caller, name, work))) ?? BUSY;
}

/** Runs a write whose turn has come. */
export async function runInTurn<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: Work<T>,
): Promise<ScimResult<T>> {
  try {
    return await runOnce(deps, caller, name, work);
  } catch (error) {
    // The second run finds the account or the invitation.
    if (!isOvertaken(error)) throw error;
    return await runOnce(deps, caller, name, work);
  }
}

/** Whether the address was registered or invited meanwhile. */
export function isOvertaken(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return isAddressConstraint(constraint) || constraint === OPEN_INVITATION;
}

/** Runs a write once; throws if the address was registered or invited meanwhile. */
export async function runOnce<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: Work<T>,
): Promise<ScimResult<T>> {
  try {
    const { value, write } = await deps.database.transaction(name, async (sql) => {
      const at = new Date(deps.clock.now());
      const directory = await lockDirectoryWithKey(sql, caller.organizationId, caller.key.id, at);
      if (!directory) throw new RolledBack(KEY_ENDED.error);
      if (directory.status === "paused") throw new RolledBack(PAUSED.error);
      const run: DirectoryWrite = { deps, sql, caller, directory, at, events: [] };
      const result = await work(run);
      if (!result.ok) throw new RolledBack(result.error);
      return { value: result.value, write: run };
    });
    await complete(write);
    return ok(value);
  } catch (error) {
    if (error instanceof RolledBack) return err(error.problem);
    throw error;
  }
}

async function complete({ deps, events }: DirectoryWrite): Promise<void> {
  if (events.length > 0) await deps.revocations.announce(events);
  deps.outbox.wake();
}
