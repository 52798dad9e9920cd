/** The generated files of clients/js, without a server or network. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Endpoint } from "../../src/http/endpoint.ts";
import {
  clientMethods,
  declaredEndpoints,
  METHODS_FILE,
  methodsSource,
  openApiDocument,
  operationsOf,
  propertiesOf,
  TYPES_FILE,
  typesHeader,
} from "../../tools/client-types.ts";

const document = openApiDocument();
const operations = operationsOf(document);

describe("the client is generated from the OpenAPI document", () => {
  test("types.gen.ts was made from the document of these sources: run `npm run client:types` otherwise", () => {
    expect(readFileSync(TYPES_FILE, "utf8").split("\n", 1)[0]).toBe(typesHeader(document));
  });

  test("methods.gen.ts is what `npm run client:types` writes", () => {
    expect(readFileSync(METHODS_FILE, "utf8")).toBe(methodsSource(document));
  });

  test("Every operation has a method of its own, except for browsers, OAuth libraries and directories.", () => {
    const methods = clientMethods();
    const documented = new Set(operations.map(({ id }) => id));
    expect([...methods.keys()].filter((id) => !documented.has(id))).toEqual([]);
    expect(new Set(methods.values()).size).toBe(methods.size);
    const omitted = declaredEndpoints().filter(({ operationId: id }) => documented.has(id) && !methods.has(id));
    const isForOthers = ({ refusals, path }: Endpoint) =>
      refusals !== undefined || path.startsWith("/oauth2/") || /\/auth\/(?:oauth|sso|saml)\//.test(path);
    expect(omitted.filter((each) => !isForOthers(each)).map(({ operationId }) => operationId)).toEqual([]);
  });

  /** The server accepts the parameter of the query in the body too, where the client sends all arguments. */
  const ALSO_IN_BODY = ["replaceSsoPolicy", "upsertUser"];

  test("no operation has one name in two of path, query and body, nor a query beside a body", () => {
    const offenders = operations.filter(({ method, description }) => {
      const parameters: { name: string; in: string }[] = description.parameters;
      const names = parameters.filter((each) => each.in === "path" || each.in === "query").map(({ name }) => name);
      const hasQuery = parameters.some((each) => each.in === "query");
      names.push(...propertiesOf(document, description));
      return new Set(names).size < names.length || (hasQuery && method !== "GET" && method !== "DELETE");
    });
    expect(offenders.map(({ id }) => id)).toEqual(ALSO_IN_BODY);
  });
});
