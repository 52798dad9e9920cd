import { keyedTurns } from "../../base/keyed-turns.ts";
import { err, ok } from "../../base/result.ts";
import { violatedConstraint } from "../../database/database.ts";
import { DIRECTORY_WRITES_MAX } from "../../limits/directory-limits.ts";
import { lockDirectory } from "../../models/directory/directory.ts";
import {
  type ScimProblem,
  type ScimResult,
  scimProblem,
  scimRetry,
} from "../../models/directory/protocol/scim-problem.ts";
import { lockLiveKey } from "../../models/service-account/api-key.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { type DirectoryCaller, type DirectoryDeps, PAUSED } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";

/** Writes of one organization occupy one connection of a replica, so that other organizations are not delayed. */
const turns = keyedTurns(DIRECTORY_WRITES_MAX);
const OPEN_INVITATION = "invitations_open_key";
const BUSY = scimRetry(429, "Too many changes wait. Try again later.", 5);
const KEY_ENDED = scimProblem(401, "The key is not valid.");

/** A problem inside a transaction: thrown, so that the transaction is rolled back as a whole. */
class RolledBack extends Error {
  readonly problem: ScimProblem;
  constructor(problem: ScimProblem) {
    super("refused");
    this.problem = problem;
  }
}

/**
 * Runs a write of a directory in one transaction, after earlier writes of the directory on every replica. A problem
 * rolls everything back. Session events are announced after the commit.
 */
export async function runDirectoryWrite<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: (write: DirectoryWrite) => Promise<ScimResult<T>>,
): Promise<ScimResult<T>> {
  const turn = turns.run(caller.organizationId, () => runOnce(deps, caller, name, work));
  if (!turn) return BUSY;
  try {
    return await turn;
  } catch (error) {
    // The address was registered or invited meanwhile: the second run finds the account or the invitation.
    const constraint = violatedConstraint(error);
    if (isAddressConstraint(constraint) || constraint === OPEN_INVITATION) {
      return await runOnce(deps, caller, name, work);
    }
    throw error;
  }
}

async function runOnce<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: (write: DirectoryWrite) => Promise<ScimResult<T>>,
): Promise<ScimResult<T>> {
  try {
    const { value, write } = await deps.database.transaction(name, async (sql) => {
      const at = new Date(deps.clock.now());
      const directory = await lockDirectory(sql, caller.organizationId);
      if (!directory || !(await lockLiveKey(sql, caller.key.id, at))) throw new RolledBack(KEY_ENDED.error);
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
