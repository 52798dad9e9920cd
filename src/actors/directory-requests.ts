/**
 * Owns: the order of the changes and of the lists of each organization, creations of users that wait for the next
 * batch, the steps of requests of directories, and the directories that requests found within the last second.
 * Updated by: requests below `/scim/v2`, and the deletion of a directory (`forget`).
 * Bound: `DIRECTORY_WRITES_MAX` changes, as many creations, and `DIRECTORY_LISTS_MAX` lists of an organization;
 * `DIRECTORIES_HELD_MAX` directories. A change or list beyond the bound is refused at once.
 * A crash loses: requests without a response, which directories send again.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { keyedTurns } from "../base/keyed-turns.ts";
import { loopTurns } from "../base/loop-turns.ts";
import type { Database } from "../database/database.ts";
import {
  DIRECTORIES_HELD_MAX,
  DIRECTORY_HELD_MS,
  DIRECTORY_LISTS_MAX,
  DIRECTORY_WRITES_MAX,
} from "../limits/directory-limits.ts";
import { type Directory, findDirectory } from "../models/directory/directory.ts";
import type { CreationOutcome, WaitingCreation } from "../models/directory/new-users.ts";
import { creationBatches, type RunBatch } from "./directory-requests/creation-batches.ts";

/** The key of a directory; creations of different keys share no transaction. */
export interface CreationKey {
  readonly organizationId: string;
  readonly keyId: string;
}

export interface CreationWork<T> {
  readonly together: RunBatch;
  readonly alone: () => Promise<T>;
}

export interface DirectoryRequests {
  /** Waits until the event loop has served other requests since the last step of a directory. */
  step(): Promise<void>;
  /**
   * Runs work after earlier changes of the organization: changes of one organization occupy one connection. Undefined
   * at once if too many wait.
   */
  change<T>(organizationId: string, work: () => Promise<T>): Promise<T> | undefined;
  /** As `change`, after earlier lists of the organization. */
  list<T>(organizationId: string, work: () => Promise<T>): Promise<T> | undefined;
  /**
   * As `change`, for the creation of a user. The turn of the first waiting creation of a key runs all that wait
   * `together`, up to `DIRECTORY_CREATIONS_AT_ONCE`; a creation without an outcome there runs `alone` in its own turn.
   */
  create<T>(
    key: CreationKey,
    creation: WaitingCreation,
    work: CreationWork<T>,
  ): Promise<NonNullable<CreationOutcome> | T> | undefined;
  /**
   * The directory of an organization, up to a second old. Directories send requests in bursts, and a request needs only
   * the id: every change reads the directory again under its lock, and a deleted directory has no records.
   */
  find(organizationId: string): Promise<Directory | undefined>;
  /** Keeps the recorded time of the last request, so that no further request of the second records the time. */
  holdLastRequest(directory: Directory, lastRequestAt: Date): void;
  /** Called after the deletion of a directory; other replicas forget the directory within a second. */
  forget(organizationId: string): void;
  stop(): Promise<void>;
}

interface Held {
  readonly directory: Directory;
  readonly until: number;
}

export function directoryRequests({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): DirectoryRequests {
  const steps = loopTurns();
  const [changes, lists] = [keyedTurns(DIRECTORY_WRITES_MAX), keyedTurns(DIRECTORY_LISTS_MAX)];
  const admitCreation = creationBatches();
  const held = new LRUCache<string, Held>({ max: DIRECTORIES_HELD_MAX });

  const change: DirectoryRequests["change"] = (organizationId, work) =>
    changes.run(organizationId, () => steps.next().then(work));

  return {
    step: steps.next,
    change,
    list: (organizationId, work) => lists.run(organizationId, work),
    create({ organizationId, keyId }, creation, { together, alone }) {
      const entry = admitCreation(keyId, creation);
      const turn = change(organizationId, async () => (await entry.run(together)) ?? (await alone()));
      if (turn === undefined) entry.leave();
      return turn;
    },
    async find(organizationId) {
      const now = clock.monotonic();
      const found = held.get(organizationId);
      if (found && now < found.until) return found.directory;
      const directory = await database.run("directory.find", (sql) => findDirectory(sql, organizationId));
      if (directory) held.set(organizationId, { directory, until: now + DIRECTORY_HELD_MS });
      else held.delete(organizationId);
      return directory;
    },
    holdLastRequest(directory, lastRequestAt) {
      const found = held.get(directory.organizationId);
      if (found) held.set(directory.organizationId, { ...found, directory: { ...directory, lastRequestAt } });
    },
    forget: (organizationId) => void held.delete(organizationId),
    async stop() {
      held.clear();
    },
  };
}
