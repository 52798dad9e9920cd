/** scimmy-routers with resources in memory, fetched from npm at the first use. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScimClient } from "./directories.ts";
import { importPackage } from "./npm-package.ts";

const VERSION = "1.3.2";
const TOKEN = "the token of the tests";

export interface ScimmyServer {
  readonly scim: ScimClient;
  close(): Promise<void>;
}

type Document = { readonly id: string } & Readonly<Record<string, unknown>>;
interface Requested {
  readonly id?: string;
  readonly filter?: { match(documents: readonly Document[]): readonly Document[] };
}
interface ScimmyResource {
  ingress(store: (resource: Requested, data: object) => unknown): ScimmyResource;
  egress(read: (resource: Requested) => unknown): ScimmyResource;
  degress(remove: (resource: Requested) => unknown): ScimmyResource;
}
interface Scimmy {
  readonly default: {
    readonly Resources: { declare(type: unknown): ScimmyResource; readonly User: unknown; readonly Group: unknown };
    readonly Types: { readonly Error: new (status: number, scimType: string, detail: string) => Error };
  };
}
interface Routers {
  readonly default: new (options: object) => unknown;
}
interface Express {
  readonly default: () => {
    set(name: "query parser", read: (query: string) => object): void;
    use(path: string, handler: unknown): void;
    listen(port: number, host: string, ready: () => void): Server;
  };
}

export async function startScimmy(): Promise<ScimmyServer> {
  const { default: ScimmyRouters } = await importPackage<Routers>("scimmy-routers", VERSION);
  const { default: scimmy } = await importPackage<Scimmy>("scimmy-routers", VERSION, "scimmy");
  const { default: express } = await importPackage<Express>("scimmy-routers", VERSION, "express");
  const { Resources, Types } = scimmy;
  for (const [type, key] of [
    [Resources.User, "userName"],
    [Resources.Group, "displayName"],
  ] as const) {
    declare(Resources.declare(type), key, Types.Error);
  }
  const app = express();
  app.set("query parser", readQuery);
  const handler = (request: { header(name: string): string }) => {
    if (request.header("authorization") !== `Bearer ${TOKEN}`) throw new Error("The token is not valid.");
    return "tests";
  };
  app.use("/scim/v2", new ScimmyRouters({ type: "bearer", handler }));
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`;
  return {
    scim: clientOf(url),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** scimmy ignores positions that are text, as Express reads every query. */
function readQuery(query: string): object {
  const numeric = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, text]) => [name, numeric(text)]));
}

/** Names are unique without regard to case, as in this service. */
function declare(
  resource: ScimmyResource,
  key: string,
  Problem: new (status: number, scimType: string, detail: string) => Error,
): void {
  const stored = new Map<string, Document>();
  const nameOf = (document: object) => String((document as Record<string, unknown>)[key]).toLowerCase();
  const find = (id: string): Document => {
    const document = stored.get(id);
    if (!document) throw new Problem(404, "", "There is no such resource.");
    return document;
  };
  resource
    .ingress(({ id: known }, data) => {
      const id = known === undefined ? randomUUID() : find(known).id;
      const document = { ...(JSON.parse(JSON.stringify(data)) as object), id };
      const isTaken = [...stored.values()].some((each) => each.id !== id && nameOf(each) === nameOf(document));
      if (isTaken) throw new Problem(409, "uniqueness", "The name is taken.");
      stored.set(id, document);
      return document;
    })
    .egress(({ id, filter }) => {
      if (id !== undefined) return find(id);
      return filter ? filter.match([...stored.values()]) : [...stored.values()];
    })
    .degress(({ id = "" }) => void stored.delete(find(id).id));
}

function clientOf(url: string): ScimClient {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/scim+json" },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined };
  };
}
