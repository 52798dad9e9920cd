/**
 * The checks of two public suites with their names as titles: Microsoft's reference suite
 * (https://github.com/AzureAD/SCIMReferenceCode, PostmanCollection.json) and scim2-tester 0.2.8
 * (https://github.com/python-scim/scim2-tester). Bodies are shortened to the members that a check reads.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody, type ScimClient, searchBody, userBody } from "../support/directories.ts";
import { MICROSOFT_SUITE } from "../support/scim-suite.ts";

type Directory = Awaited<ReturnType<typeof directoryOf>>;

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

describe.each(Object.entries(MICROSOFT_SUITE))("Microsoft's reference suite, %s", (_folder, steps) => {
  const ids: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (all, key: string) => ids[key] ?? all);
  let directory: Directory;
  beforeAll(async () => {
    directory = await directoryOf(at);
  });

  for (const { title, request, status, saves, expected } of steps) {
    test(title, async () => {
      const [method, path, body] = request;
      const sent = body === undefined || typeof body === "string" ? body : filled(JSON.stringify(body));
      const response = await directory.scim(method, filled(path), sent);
      expect([response.status, response.body?.detail]).toEqual([status, status < 400 ? undefined : expect.anything()]);
      if (saves) ids[saves] = response.body.id;
      if (expected) expect(response.body).toMatchObject(JSON.parse(filled(JSON.stringify(expected))));
    });
  }
});

interface SchemaAttribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly mutability: string;
  readonly returned: string;
  readonly subAttributes?: readonly SchemaAttribute[];
}

/** A value of an attribute, from the schema that the service returns. */
function sampleOf(attribute: SchemaAttribute, seed: string): unknown {
  const { name, type, multiValued, subAttributes = [] } = attribute;
  const single = () => {
    if (type === "boolean") return true;
    if (type === "reference") return `https://example.com/${seed}`;
    if (type !== "complex") return name === "value" ? `${seed}@example.test` : seed;
    const writable = subAttributes.filter(({ mutability }) => mutability !== "readOnly");
    return Object.fromEntries(writable.map((sub) => [sub.name, sampleOf(sub, seed)]));
  };
  return multiValued ? [single()] : single();
}

describe("scim2-tester, discovery", () => {
  let scim: ScimClient;
  beforeAll(async () => {
    ({ scim } = await directoryOf(at));
  });
  const methodsAreRefused = async (path: string) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect([method, (await scim(method, path, method === "DELETE" ? undefined : {})).status]).toEqual([method, 405]);
    }
  };
  const isUnknown = async (path: string) => {
    const { status, body } = await scim("GET", path);
    expect([status, body.schemas, body.status]).toEqual([404, [ERROR], "404"]);
  };

  test("service_provider_config_endpoint", async () => {
    expect((await scim("GET", "/ServiceProviderConfig")).status).toBe(200);
  });
  test("service_provider_config_endpoint_methods", async () => await methodsAreRefused("/ServiceProviderConfig"));
  test("query_all_resource_types", async () => {
    const { body } = await scim("GET", "/ResourceTypes");
    expect(body.Resources.map(({ name }: { name: string }) => name)).toEqual(["User", "Group"]);
  });
  test("query_resource_type_by_id", async () => {
    for (const id of ["User", "Group"]) expect((await scim("GET", `/ResourceTypes/${id}`)).body.id).toBe(id);
  });
  test("access_invalid_resource_type", async () => await isUnknown(`/ResourceTypes/${randomUUID()}`));
  test("resource_types_endpoint_methods", async () => await methodsAreRefused("/ResourceTypes"));
  test("resource_types_schema_validation", async () => {
    const { body } = await scim("GET", "/ResourceTypes");
    for (const { schema, schemaExtensions } of body.Resources) {
      const extensions = schemaExtensions.map((each: { schema: string }) => each.schema);
      for (const id of [schema, ...extensions]) expect((await scim("GET", `/Schemas/${id}`)).body.id).toBe(id);
    }
  });
  test("query_all_schemas, access_schema_by_id", async () => {
    const { body } = await scim("GET", "/Schemas");
    for (const { id } of body.Resources) expect((await scim("GET", `/Schemas/${id}`)).body.id).toBe(id);
  });
  test("access_invalid_schema", async () => await isUnknown(`/Schemas/${randomUUID()}`));
  test("schemas_endpoint_methods", async () => await methodsAreRefused("/Schemas"));
  test("core_schemas_validation", async () => {
    const { body } = await scim("GET", "/Schemas");
    const ids = body.Resources.map(({ id }: { id: string }) => id);
    const core = ["ResourceType", "ServiceProviderConfig", "Schema"];
    expect(ids).toEqual(expect.arrayContaining(core.map((name) => `urn:ietf:params:scim:schemas:core:2.0:${name}`)));
  });
  test("random_url", async () => await isUnknown(`/${randomUUID()}`));
});

const TYPES = [
  { type: "User", endpoint: "/Users", schemas: [USER, ENTERPRISE], body: userBody, kept: "userName" },
  { type: "Group", endpoint: "/Groups", schemas: [GROUP], body: groupBody, kept: "displayName" },
] as const;

describe.each(TYPES)("scim2-tester, $type", ({ endpoint, schemas, body: bodyOf, kept }) => {
  let scim: ScimClient;
  let id: string;
  const attributes: { path: string; container: string | undefined; attribute: SchemaAttribute }[] = [];
  beforeAll(async () => {
    ({ scim } = await directoryOf(at));
    id = (await scim("POST", endpoint, { ...bodyOf("checked"), externalId: "external" })).body.id;
    const member = (await scim("POST", "/Users", userBody("member"))).body.id;
    for (const urn of schemas) {
      const { body } = await scim("GET", `/Schemas/${urn}`);
      const container = urn === ENTERPRISE ? urn : undefined;
      for (const attribute of body.attributes as SchemaAttribute[]) {
        const isWritable = ["readWrite", "writeOnly"].includes(attribute.mutability) && !attribute.required;
        if (!isWritable) continue;
        attributes.push({ path: container ? `${urn}:${attribute.name}` : attribute.name, container, attribute });
      }
    }
    members = [{ value: member }];
  });
  let members: unknown;
  const valueFor = (attribute: SchemaAttribute, seed: string) =>
    attribute.name === "members" ? members : sampleOf(attribute, seed);
  const read = async ({ container, attribute }: (typeof attributes)[number]) => {
    const { body } = await scim("GET", `${endpoint}/${id}`);
    return (container ? body[container] : body)?.[attribute.name];
  };
  const patch = async (op: string, path: string, value?: unknown) => {
    const { status, body } = await scim("PATCH", `${endpoint}/${id}`, { Operations: [{ op, path, value }] });
    expect([op, path, status < 300, body?.detail]).toEqual([op, path, true, undefined]);
  };
  const isAbsent = ({ returned }: SchemaAttribute) => returned === "never";

  test("object_creation, object_query, object_query_without_id", async () => {
    expect((await scim("GET", `${endpoint}/${id}`)).body).toMatchObject({ id, [kept]: "checked" });
    const listed = await scim("GET", endpoint);
    expect(listed.body.Resources.map((each: { id: string }) => each.id)).toContain(id);
  });

  test("object_query_with_attributes, object_list_with_attributes, search_with_attributes", async () => {
    const ofSearch = (fields: Record<string, unknown>) => scim("POST", `${endpoint}/.search`, searchBody(fields));
    for (const [list, searched] of [
      ["attributes", { attributes: ["externalId"] }],
      ["excludedAttributes", { excludedAttributes: [kept] }],
    ] as const) {
      const query = `?${list}=${list === "attributes" ? "externalId" : kept}`;
      const find = ({ body }: Awaited<ReturnType<ScimClient>>) =>
        body.Resources.find((each: { id: string }) => each.id === id);
      for (const resource of [
        (await scim("GET", `${endpoint}/${id}${query}`)).body,
        find(await scim("GET", `${endpoint}${query}`)),
        find(await ofSearch(searched)),
      ])
        expect([resource.externalId, resource[kept]]).toEqual(["external", undefined]);
    }
  });

  test("check_add_attribute", async () => {
    for (const each of attributes) {
      const { path, attribute } = each;
      const value = valueFor(attribute, "added");
      await patch("add", path, value);
      const found = await read(each);
      if (isAbsent(attribute)) expect([path, found]).toEqual([path, undefined]);
      else expect({ path, found }).toMatchObject({ path, found: value as never });
    }
  });

  test("check_replace_attribute", async () => {
    for (const each of attributes) {
      const { path, attribute } = each;
      const value = valueFor(attribute, "replaced");
      await patch("replace", path, value);
      const found = await read(each);
      if (isAbsent(attribute)) expect([path, found]).toEqual([path, undefined]);
      else expect({ path, found }).toMatchObject({ path, found: value as never });
    }
  });

  test("check_remove_attribute", async () => {
    for (const each of attributes) {
      const { path, attribute } = each;
      // The removal of `active` does not activate a user (docs/contract.md, section 31.5).
      if (attribute.name === "active") continue;
      await patch("remove", path);
      // An empty list counts as absent (RFC 7643, section 2.5).
      expect([path, await read(each)]).toEqual([path, attribute.name === "members" ? [] : undefined]);
    }
  });

  test("object_replacement", async () => {
    const { status, body } = await scim("PUT", `${endpoint}/${id}`, { ...bodyOf("replaced"), externalId: "other" });
    expect([status, body[kept], body.externalId]).toEqual([200, "replaced", "other"]);
  });

  test("object_deletion", async () => {
    expect((await scim("DELETE", `${endpoint}/${id}`)).status).toBe(204);
    expect((await scim("GET", `${endpoint}/${id}`)).status).toBe(404);
  });
});
