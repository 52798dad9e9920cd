/** Where the key of a client is kept. */

export interface DpopKeys {
  /** The key pair of the client (ECDSA, P-256); creates the pair where none exists. */
  load(): Promise<CryptoKeyPair>;
  delete(): Promise<void>;
}

/** Scripts can use the private key and never read the private key, also in IndexedDB. */
async function createKeyPair(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
}

/** A key for the life of the object; `pair` is a key of an earlier run. */
export function memoryKeys(pair?: CryptoKeyPair): DpopKeys {
  let loaded = pair === undefined ? undefined : Promise.resolve(pair);
  return {
    load: () => {
      loaded ??= createKeyPair();
      return loaded;
    },
    async delete() {
      loaded = undefined;
    },
  };
}

const STORE = "keys";

/** A key in IndexedDB, for all tabs of the origin. `name`: one name for each session of the origin. */
export function indexedDbKeys(name = "identity-service-client dpop"): DpopKeys {
  async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await opened(name);
    try {
      return await completed(work(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  }

  const find = () => inStore<CryptoKeyPair | undefined>("readonly", (store) => store.get(name));

  return {
    async load() {
      const known = await find();
      if (known !== undefined) return known;
      const created = await createKeyPair();
      try {
        // `add` fails where another tab was faster: both tabs then use the key of that tab.
        await inStore("readwrite", (store) => store.add(created, name));
        return created;
      } catch (error) {
        const stored = await find();
        if (stored === undefined) throw error;
        return stored;
      }
    },
    delete: async () => await inStore("readwrite", (store) => store.delete(name)),
  };
}

async function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return await completed(request);
}

function completed<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
