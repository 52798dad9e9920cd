import { ok } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import { decideInTransaction, RolledBack } from "../../database/decide.ts";
import { type Directory, lockDirectoryWithKey } from "../../models/directory/directory.ts";
import {
  type ScimProblem,
  type ScimResult,
  scimProblem,
  scimRetry,
} from "../../models/directory/protocol/scim-problem.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { type DirectoryCaller, type DirectoryDeps, PAUSED } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";

const OPEN_INVITATION = "invitations_open_key";
export const BUSY = scimRetry(429, "Too many changes wait. Try again later.", 5);
const KEY_ENDED = scimProblem(401, "The key is not valid.");

type Work<T> = (write: DirectoryWrite) => Promise<ScimResult<T>>;

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
  const turn = deps.directoryRequests.change(caller.organizationId, () => runInTurn(deps, caller, name, work));
  return (await turn) ?? BUSY;
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
async function runOnce<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: Work<T>,
): Promise<ScimResult<T>> {
  return await runLocked(deps, caller, name, async ({ lock }) => await work(await lock()));
}

/** A transaction before the lock of the directory. */
interface UnlockedWrite {
  readonly sql: Sql;
  readonly at: Date;
  /** To be called once, before every other statement; rejects if the key has ended or the directory is paused. */
  lock(): Promise<DirectoryWrite>;
}

/** As `runOnce`, for work that sends further reads with the lock. */
export async function runLocked<T>(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  name: string,
  work: (write: UnlockedWrite) => Promise<ScimResult<T>>,
): Promise<ScimResult<T>> {
  const written = await decideInTransaction<{ value: T; events: SessionEvent[] }, ScimProblem>(
    deps.database,
    name,
    async (sql) => {
      const at = new Date(deps.clock.now());
      const events: SessionEvent[] = [];
      const lock = async () => ({ deps, sql, caller, at, events, directory: await lockIn(sql, caller, at) });
      const result = await work({ sql, at, lock });
      return result.ok ? ok({ value: result.value, events }) : result;
    },
  );
  if (!written.ok) return written;
  if (written.value.events.length > 0) await deps.revocations.announce(written.value.events);
  deps.outbox.wake();
  return ok(written.value.value);
}

async function lockIn(sql: Sql, { organizationId, key }: DirectoryCaller, at: Date): Promise<Directory> {
  const directory = await lockDirectoryWithKey(sql, organizationId, key, at);
  if (!directory) throw new RolledBack(KEY_ENDED.error);
  if (directory.status === "paused") throw new RolledBack(PAUSED.error);
  return directory;
}
