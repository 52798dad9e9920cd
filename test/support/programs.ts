/** Programs of the platform: service accounts with a key. */
import { type Answer, Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { steppedUpAdmin } from "./platform.ts";
import { keyOf } from "./service-accounts.ts";

type Body = Readonly<Record<string, unknown>>;

/** A program with a key: a client whose requests carry the key. */
export interface Program {
  readonly key: string;
  readonly keyId: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: Body): Promise<Answer>;
  put(path: string, body?: Body, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body?: Body, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string, body?: Body, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** The requests of a key. `url`: of a replica. */
export function programAt(url: string, { id: keyId, key }: { readonly id: string; readonly key: string }): Program {
  const client = new Client(url);
  const send = (method: string, path: string, body?: Body, headers: Readonly<Record<string, string>> = {}) =>
    client.request(method, path, { body, headers: { ...headers, authorization: `Bearer ${key}` } });
  return {
    key,
    keyId,
    get: (path) => send("GET", path),
    post: (path, body = {}) => send("POST", path, body),
    put: (path, body = {}, headers) => send("PUT", path, body, headers),
    patch: (path, body = {}, headers) => send("PATCH", path, body, headers),
    delete: (path, body, headers) => send("DELETE", path, body, headers),
  };
}

/** Creates a program of the platform with scopes; a platform owner makes the key. */
export async function program(at: Pick<Deployment, "one" | "sql">, scopes: readonly string[]): Promise<Program> {
  const owner = await steppedUpAdmin(at, "owner");
  return programAt(at.one.url, await keyOf(owner.client, "/v1/admin/service-accounts", scopes));
}
