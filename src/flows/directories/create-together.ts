/**
 * Creations of ordinary users, together: a user of a verified domain whose address no account has is a few inserted
 * rows. Creations that wait for the turn of their directory run as one transaction, so that an import waits for the
 * lock and the disk once for many users. Every other creation, and all of a batch whose addresses were registered
 * meanwhile, run alone.
 */
import { nameKey } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { DIRECTORY_USERS_MAX } from "../../limits/directory-limits.ts";
import { type DirectoryUser, externalIdOf } from "../../models/directory/directory-user.ts";
import {
  type CreationOutcome,
  listKnownAddresses,
  type NewDirectoryUser,
  type WaitingCreation,
} from "../../models/directory/new-users.ts";
import { addressOf, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import { findOwnAddresses } from "../../models/organization-domain/organization-domain.ts";
import { hashAddress, normalizeAssertedEmail } from "../../models/user/email-address.ts";
import { findPermittedAddresses } from "../steps/authorization/joining-rules.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";
import { insertUsers } from "./insert-users.ts";
import { isOvertaken, runLocked } from "./run-write.ts";
import { displayNameOf, localeOf } from "./update-account.ts";

/**
 * The creation of an active user of a verified domain, by the memory of the replica; undefined for any other record.
 */
export function ordinaryCreation(
  { domainDirectory }: DirectoryDeps,
  caller: DirectoryCaller,
  document: UserDocument,
): WaitingCreation | undefined {
  const { client, organizationId } = caller;
  const email = normalizeAssertedEmail(addressOf(document));
  if (!document.active || email === undefined) return undefined;
  const isOwnDomain = domainDirectory.index().includesAddress(organizationId, email);
  return isOwnDomain ? { client, document, email, isShared: client.traceparent === undefined } : undefined;
}

/** Creates the users of a batch in one transaction. */
export async function createTogether(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  batch: readonly WaitingCreation[],
): Promise<readonly CreationOutcome[]> {
  try {
    const created = await runLocked(deps, caller, "directory_user.create_together", async ({ sql, at, lock }) => {
      // The statements follow one another without a wait for this process; the lock is first.
      const [write, known] = await Promise.all([lock(), readKnown(deps, sql, caller, batch, at)]);
      return ok(await createOrdinary(write, batch, known));
    });
    return created.ok ? batch.map((each) => resultOf(created.value.get(each))) : batch.map(() => created);
  } catch (error) {
    if (isOvertaken(error)) return batch.map(() => undefined);
    throw error;
  }
}

function resultOf(record: DirectoryUser | undefined): CreationOutcome {
  return record && ok(record);
}

/** What decides whether an address is ordinary. */
interface Known {
  readonly addresses: ReadonlySet<string>;
  readonly permits: (email: string) => boolean;
}

async function readKnown(
  { addressKey }: Pick<DirectoryDeps, "addressKey">,
  sql: Sql,
  { organizationId, directory }: DirectoryCaller,
  batch: readonly WaitingCreation[],
  at: Date,
): Promise<Known> {
  const target = { directoryId: directory.id, organizationId, at };
  const hashed = batch.map((each) => ({ ...each, addressHash: hashAddress(addressKey, each.email) }));
  const [addresses, isOwn, isPermitted] = await Promise.all([
    listKnownAddresses(sql, target, hashed),
    findOwnAddresses(sql, organizationId),
    findPermittedAddresses(sql, organizationId, at),
  ]);
  return { addresses, permits: (email) => isOwn(email) && isPermitted(email) };
}

/** Inserts the ordinary users of a batch; returns their records. */
async function createOrdinary(
  write: DirectoryWrite,
  batch: readonly WaitingCreation[],
  known: Known,
): Promise<ReadonlyMap<WaitingCreation, DirectoryUser>> {
  const { directory, caller, at } = write;
  // Deleted and created again since the request found the directory.
  if (directory.id !== caller.directory.id) return new Map();
  if (directory.userCount + batch.length > DIRECTORY_USERS_MAX) return new Map();
  const [addresses, names] = [new Set(known.addresses), new Set<string>()];
  const users = new Map<WaitingCreation, NewDirectoryUser>();
  for (const creation of batch) {
    const { email, document } = creation;
    const name = nameKey(document.userName);
    if (addresses.has(email) || names.has(name) || !known.permits(email)) continue;
    addresses.add(email);
    names.add(name);
    users.set(creation, newUser(write.deps, creation));
  }
  if (users.size > 0) await insertUsers(write, [...users.values()], batch[0]?.client.traceparent);
  return new Map([...users].map(([creation, user]) => [creation, recordOf(user, at)]));
}

function newUser(
  { random }: Pick<DirectoryDeps, "random">,
  { client, document, email }: WaitingCreation,
): NewDirectoryUser {
  const { ipAddress, userAgent, requestId } = client;
  return {
    recordId: random.uuid(),
    userId: random.uuid(),
    document,
    email,
    displayName: displayNameOf(document),
    locale: localeOf(document),
    events: { record_event: random.uuid(), account_event: random.uuid(), member_event: random.uuid() },
    ipAddress,
    userAgent,
    requestId,
  };
}

function recordOf({ recordId, userId, document }: NewDirectoryUser, at: Date): DirectoryUser {
  return {
    id: recordId,
    externalId: externalIdOf(document),
    active: true,
    document,
    userId,
    link: "domain",
    formerRole: null,
    formerJoinedAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}
