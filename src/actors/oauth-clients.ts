/**
 * Owns: the clients of the OpenID provider in memory, so the authentication of a client needs no query: all clients
 * that administrators registered, and the recently used clients of unknown origin, which registered themselves or have
 * a metadata document.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. Each of the three makes the next use of a client of
 * unknown origin a read. A write of such a client (`changedRow`) concerns this client alone: no third party makes a
 * replica load the table, and a registration sends no message. A client that is not in memory, for example registered
 * at another replica a moment ago, is read by its id. The statement of each token issue checks again in PostgreSQL
 * whether the client is enabled.
 * Bound: `OAUTH_CLIENTS_MAX` clients; `OAUTH_CLIENTS_READ_MAX` clients read by id, with `OAUTH_CLIENTS_READ_MAX_BYTES`
 * altogether; one load at a time; `CLIENT_MISSES_PER_NETWORK_MAX` reads for unknown ids.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { type Refusal, rateLimited } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  CLIENT_MISSES_NETWORKS_MAX,
  CLIENT_MISSES_PER_NETWORK_MAX,
  CLIENT_MISSES_WINDOW_MS,
  OAUTH_CLIENTS_READ_MAX,
  OAUTH_CLIENTS_READ_MAX_BYTES,
} from "../limits/oauth-limits.ts";
import { listClientsInMemory } from "../models/oauth-client/list-clients.ts";
import {
  findClient,
  findClientOfDocument,
  OAUTH_CLIENT_STREAM,
  type OAuthClient,
} from "../models/oauth-client/oauth-client.ts";
import { storedBytes } from "../models/oauth-client/stored-size.ts";
import type { ResourceIndex } from "../models/oauth-resource/resource-index.ts";
import { type ReplicatedRowsDeps, type ReplicatedTableWithRows, replicateRows } from "../state/replicated-table.ts";

export interface OAuthClients extends ReplicatedTableWithRows {
  /** An enabled client in memory, by its `client_id` or by the id of the row: a client that the request has loaded. */
  find(id: string): OAuthClient | undefined;
  /** An enabled client, from memory or PostgreSQL, by an id in a row or token of this service. */
  load(id: string): Promise<OAuthClient | undefined>;
  /**
   * As `load`, by an id that a caller sends: unknown ids of a network cost PostgreSQL a bounded number of reads. Beyond
   * the bound, an id that this replica has never seen is refused, and not unknown: applications forget a registration
   * that the service does not know.
   */
  lookUp(id: string, network: string): Promise<Result<OAuthClient | undefined, Refusal<"rate_limited">>>;
  /** As `load`, by a read that begins now: another replica may have fetched the document meanwhile. */
  renew(id: string): Promise<OAuthClient | undefined>;
  /** Whether an administrator has disabled the client in memory, or blocked the host of its document. */
  isDisabled(id: string): boolean;
}

/** What decides about clients that a metadata document identifies, beside the rows. */
export interface DocumentClientRules {
  /** The access of these clients beside scopes of users. */
  readonly open: () => ResourceIndex["open"];
  readonly isBlocked: (host: string) => boolean;
}

export function oauthClients(
  deps: ReplicatedRowsDeps & { readonly clock: Clock },
  rules: DocumentClientRules,
): OAuthClients {
  let generation = 0;
  const byId = clientsById(deps, () => generation);
  const misses = missesByNetwork(deps.clock);
  const { held, ...table } = replicateRows(deps, {
    stream: OAUTH_CLIENT_STREAM,
    operation: "oauth_client.list",
    list: listClientsInMemory,
    hold(clients) {
      generation += 1;
      return new Map(clients.map((client) => [client.id, client]));
    },
    noun: "OAuth clients",
    forget: byId.forget,
  });

  /** Within a request, the load before the last load counts too. */
  function inMemory(id: string, oldest = generation - 1): OAuthClient | undefined {
    return held().get(id) ?? byId.find(id, oldest);
  }

  function enabled(client: OAuthClient | undefined): OAuthClient | undefined {
    if (!client || isRefused(client)) return undefined;
    return client.kind === "registered" ? client : withOpenAccess(client, rules.open());
  }

  function isRefused({ disabled, document }: OAuthClient): boolean {
    return disabled || (document !== null && rules.isBlocked(new URL(document.url).hostname));
  }

  return {
    ...table,
    find: (id) => enabled(inMemory(id)),
    load: async (id) => enabled(inMemory(id, generation) ?? (await byId.readOnce(id))),
    renew: async (id) => enabled(await byId.read(id)),
    async lookUp(id, network) {
      const known = inMemory(id, generation);
      if (known || !isId(id)) return ok(enabled(known));
      if (!byId.has(id) && misses.isFull(network)) return err(TOO_MANY_UNKNOWN);
      const found = await byId.readOnce(id);
      if (!found) misses.record(network);
      return ok(enabled(found));
    },
    isDisabled(id) {
      const client = inMemory(id);
      return client !== undefined && isRefused(client);
    },
  };
}

const TOO_MANY_UNKNOWN = rateLimited(
  "client_misses",
  CLIENT_MISSES_WINDOW_MS / 1000,
  "too many unknown applications of the network",
);

interface ReadClient {
  readonly client: OAuthClient;
  /** The load of the table before the read. */
  readonly generation: number;
}

/** The memory of a client beside its texts. */
const CLIENT_OVERHEAD_BYTES = 1_024;

/** The clients that were read one by one. `generation`: the present load of the table. */
function clientsById({ database }: Pick<ReplicatedRowsDeps, "database">, generation: () => number) {
  const clients = new LRUCache<string, ReadClient>({
    max: OAUTH_CLIENTS_READ_MAX,
    maxSize: OAUTH_CLIENTS_READ_MAX_BYTES,
    sizeCalculation: ({ client }) => CLIENT_OVERHEAD_BYTES + storedBytes(client),
  });
  const reading = new Map<string, Promise<OAuthClient | undefined>>();
  let forgotten = 0;

  function remember(client: OAuthClient, at: number): void {
    for (const each of idsOf(client)) clients.set(each, { client, generation: at });
  }

  async function read(id: string): Promise<OAuthClient | undefined> {
    const [before, forgottenBefore] = [generation(), forgotten];
    const found = await database.run("oauth_client.find", (sql) =>
      isUuid(id) ? findClient(sql, id) : findClientOfDocument(sql, id),
    );
    // PostgreSQL finds a UUID in any case; client identifiers are compared exactly, in memory too.
    const client = found && idsOf(found).includes(id) ? found : undefined;
    if (!client) clients.delete(id);
    // A change during the read makes the next use a read again.
    if (client) remember(client, forgotten === forgottenBefore ? before : before - 1);
    return client;
  }

  return {
    has: (id: string) => clients.has(id),
    find(id: string, oldest: number): OAuthClient | undefined {
      const entry = clients.get(id);
      return entry && entry.generation >= oldest ? entry.client : undefined;
    },
    read,
    /** Parallel calls share a read. */
    readOnce(id: string): Promise<OAuthClient | undefined> {
      const running = reading.get(id);
      if (running) return running;
      const begun: Promise<OAuthClient | undefined> = read(id).finally(() => {
        if (reading.get(id) === begun) reading.delete(id);
      });
      reading.set(id, begun);
      return begun;
    },
    /** The next use is a read of its own. A request that has begun keeps the client. */
    forget(id: string): void {
      forgotten += 1;
      reading.delete(id);
      const entry = clients.peek(id);
      if (entry) remember(entry.client, generation() - 1);
    },
  };
}

function idsOf({ id, document }: OAuthClient): readonly string[] {
  return document === null ? [id] : [id, document.url];
}

/** No other text names a client. */
function isId(id: string): boolean {
  return isUuid(id) || /^https?:\/\/[^\0]+$/.test(id);
}

/** The ids without a client that networks sent to this replica in the window. */
function missesByNetwork(clock: Clock) {
  const windows = new LRUCache<string, { readonly endsAt: number; count: number }>({ max: CLIENT_MISSES_NETWORKS_MAX });
  const windowOf = (network: string) => {
    const window = windows.get(network);
    return window && window.endsAt > clock.now() ? window : { endsAt: clock.now() + CLIENT_MISSES_WINDOW_MS, count: 0 };
  };
  return {
    isFull: (network: string) => windowOf(network).count >= CLIENT_MISSES_PER_NETWORK_MAX,
    record(network: string) {
      const window = windowOf(network);
      window.count += 1;
      windows.set(network, window);
    },
  };
}

const MERGED = new WeakMap<OAuthClient, { readonly open: ResourceIndex["open"]; readonly client: OAuthClient }>();

/** The APIs decide at every request: an API that is no longer open gives no further access. */
function withOpenAccess(client: OAuthClient, open: ResourceIndex["open"]): OAuthClient {
  const known = MERGED.get(client);
  if (known?.open === open) return known.client;
  const scopes = [...new Set([...client.scopes, ...open.scopes])];
  const registered = client.document === null ? client.resources : [];
  const merged = { ...client, resources: [...new Set([...registered, ...open.resources])], scopes };
  MERGED.set(client, { open, client: merged });
  return merged;
}
