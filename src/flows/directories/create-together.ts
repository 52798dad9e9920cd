/**
 * Creations of ordinary users, together: a user of a verified domain whose address no account has is a few inserted
 * rows. Creations that wait for the turn of their directory run as one transaction, so that an import waits for the
 * lock and the disk once for many users. Every other creation, and all of a batch whose addresses were registered
 * meanwhile, run alone.
 */
import { nameKey } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import { DIRECTORY_CREATIONS_AT_ONCE, DIRECTORY_USERS_MAX } from "../../limits/directory-limits.ts";
import { type DirectoryUser, externalIdOf } from "../../models/directory/directory-user.ts";
import { listKnownAddresses, type NewDirectoryUser } from "../../models/directory/new-users.ts";
import type { ScimResult } from "../../models/directory/protocol/scim-problem.ts";
import { addressOf, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import { domainOfAddress } from "../../models/organization-domain/domain-name.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { permitsAddress } from "../steps/authorization/joining-rules.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";
import { insertUsers } from "./insert-users.ts";
import { isOvertaken, runOnce } from "./run-write.ts";
import { displayNameOf, localeOf } from "./update-account.ts";

/** Undefined: the creation is not ordinary and runs alone. */
type Created = ScimResult<DirectoryUser> | undefined;

/** An active user of a verified domain, whose creation waits for a turn. */
export interface Creation {
  readonly caller: DirectoryCaller;
  readonly document: UserDocument;
  readonly email: string;
  /** Set when a batch has taken the creation; never rejects. */
  outcome?: Promise<() => Created>;
}

/** Waiting creations by key, in the order of their turns. */
const waiting = new Map<string, Creation[]>();

/** The creation of an active user of a verified domain; undefined for any other record. */
export function ordinaryCreation(
  { domainDirectory }: DirectoryDeps,
  caller: DirectoryCaller,
  document: UserDocument,
): Creation | undefined {
  const email = normalizeEmail(addressOf(document));
  if (!document.active || email === undefined) return undefined;
  const isOwnDomain = domainDirectory.index().includesAddress(caller.organizationId, email);
  return isOwnDomain ? { caller, document, email } : undefined;
}

/** Admits a creation with a turn to the next batch. */
export function joinNextBatch(creation: Creation): void {
  const { id } = creation.caller.key;
  const queue = waiting.get(id);
  if (queue) queue.push(creation);
  else waiting.set(id, [creation]);
}

/** The outcome of a creation whose turn has come, with all that wait. */
export async function createTogether(deps: DirectoryDeps, creation: Creation): Promise<Created> {
  if (!creation.outcome) {
    const batch = takeBatch(creation);
    const outcomes = createBatch(deps, creation.caller, batch);
    for (const [index, each] of batch.entries()) {
      each.outcome = outcomes.then(
        (list) => () => list[index],
        (error) => () => {
          throw error;
        },
      );
    }
  }
  return (await creation.outcome)?.();
}

/** A sampled request runs alone: the trace of a batch would be the trace of one request. */
function takeBatch(creation: Creation): readonly Creation[] {
  const { key, client } = creation.caller;
  const queue = waiting.get(key.id) ?? [];
  const shares = ({ caller }: Creation) => caller.client.traceparent === undefined;
  const isSampled = client.traceparent !== undefined;
  const batch = isSampled ? [creation] : queue.filter(shares).slice(0, DIRECTORY_CREATIONS_AT_ONCE);
  const rest = queue.filter((each) => !batch.includes(each));
  if (rest.length > 0) waiting.set(key.id, rest);
  else waiting.delete(key.id);
  return batch;
}

async function createBatch(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  batch: readonly Creation[],
): Promise<readonly Created[]> {
  try {
    const created = await runOnce(deps, caller, "directory_user.create_together", async (write) =>
      ok(await createOrdinary(write, batch)),
    );
    return created.ok ? batch.map((each) => resultOf(created.value.get(each))) : batch.map(() => created);
  } catch (error) {
    if (isOvertaken(error)) return batch.map(() => undefined);
    throw error;
  }
}

function resultOf(record: DirectoryUser | undefined): Created {
  return record && ok(record);
}

/** Inserts the ordinary users of a batch; returns their records. */
async function createOrdinary(
  write: DirectoryWrite,
  batch: readonly Creation[],
): Promise<ReadonlyMap<Creation, DirectoryUser>> {
  const { sql, directory, caller, at } = write;
  if (directory.userCount + batch.length > DIRECTORY_USERS_MAX) return new Map();
  const target = { directoryId: directory.id, organizationId: caller.organizationId, at };
  const known = await listKnownAddresses(sql, target, batch);
  const permitted = await permittedDomains(write, batch);
  const [addresses, names] = [new Set<string>(known), new Set<string>()];
  const users = new Map<Creation, NewDirectoryUser>();
  for (const creation of batch) {
    const { email, document } = creation;
    const name = nameKey(document.userName);
    if (addresses.has(email) || names.has(name) || !permitted.has(domainOfAddress(email) ?? "")) continue;
    addresses.add(email);
    names.add(name);
    users.set(creation, newUser(write.deps, creation));
  }
  if (users.size > 0) await insertUsers(write, [...users.values()], batch[0]?.caller.client.traceparent);
  return new Map([...users].map(([creation, user]) => [creation, recordOf(user, at)]));
}

/** The domains of the batch that the policy of the organization permits. */
async function permittedDomains(
  { sql, caller, at }: DirectoryWrite,
  batch: readonly Creation[],
): Promise<ReadonlySet<string>> {
  const permitted = new Set<string>();
  for (const [domain, [first]] of Map.groupBy(batch, ({ email }) => domainOfAddress(email) ?? "")) {
    if (first && (await permitsAddress(sql, caller.organizationId, first.email, at))) permitted.add(domain);
  }
  return permitted;
}

function newUser({ random }: Pick<DirectoryDeps, "random">, { caller, document, email }: Creation): NewDirectoryUser {
  const { ipAddress, userAgent, requestId } = caller.client;
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
