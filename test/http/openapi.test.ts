import { beforeAll, describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { REFERENCE_ENDPOINTS } from "../../src/http/reference-endpoints.ts";
import { Client, registered } from "../support/client.ts";
import { deployment } from "../support/deployment.ts";
import { checkResponse, loadContract, type ResponseToCheck } from "../support/documented-response.ts";
import { operationsOf, resolved } from "../support/fuzz.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
type Part = any;

let text: string;
let document: Part;
let operations: { name: string; operation: Part }[];
beforeAll(async () => {
  ({ text, body: document } = await new Client((await deployment()).one.url).get("/openapi.json"));
  operations = operationsOf(document).map(({ method, path, description }) => ({
    name: `${method} ${path}`,
    operation: description,
  }));
});

/** Returns the names of the operations for which `wrong` is true. */
const offenders = (wrong: (operation: Part, name: string) => unknown) =>
  operations.filter(({ name, operation }) => wrong(operation, name)).map(({ name }) => name);

const contents = (operation: Part): Part[] =>
  [operation.requestBody, ...Object.values<Part>(operation.responses)].flatMap((each) =>
    Object.values<Part>(each?.content ?? {}),
  );

/** Returns every schema below a part of the document. */
function schemasIn(part: Part): Part[] {
  if (typeof part !== "object" || part === null) return [];
  const below = Object.values(part).flatMap(schemasIn);
  return typeof part.type === "string" || Array.isArray(part.type) ? [part, ...below] : below;
}

/**
 * The only path that the linter may call ambiguous: the specification of the management API gives the path. Every id
 * of a user is a UUID, and the router prefers a segment of text to a parameter, so the text `by-external-id` is no id,
 * and an external id such as `sessions` reaches the user (test/http/admin-users.test.ts).
 */
const BY_EXTERNAL_ID = "/v1/admin/users/by-external-id/{external_id}";
const BELOW_USER = /`\/v1\/admin\/users\/\{id\}\/\w+`/;
const isPermitted = (message: string) => message.includes(`\`${BY_EXTERNAL_ID}\``) && BELOW_USER.test(message);

describe("the OpenAPI document", () => {
  test("passes a public linter with the recommended rules and the rules on examples", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: {
        "no-invalid-media-type-examples": "error",
        "no-invalid-schema-examples": "error",
        "no-invalid-parameter-examples": "error",
        "operation-description": "error",
        "operation-tag-defined": "error",
        "parameter-description": "error",
        "no-unused-components": "error",
      },
    });
    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });
    const wrong = problems.filter(({ ruleId, message }) => ruleId !== "no-ambiguous-paths" || !isPermitted(message));
    expect(wrong.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    expect(problems.length).toBeGreaterThan(wrong.length);
  });

  test("has 503 at every operation beyond the reference, and 500 at operations of the reference (G276)", () => {
    const served = new Set(operations.map(({ name }) => name.replace(/\{(\w+)\}/g, ":$1")));
    expect([...REFERENCE_ENDPOINTS].filter((name) => !served.has(name))).toEqual([]);
    const isReference = (name: string) => REFERENCE_ENDPOINTS.has(name.replace(/\{(\w+)\}/g, ":$1"));
    expect(offenders(({ responses }, name) => !isReference(name) && !responses[503])).toEqual([]);
    expect(offenders(({ responses }, name) => isReference(name) && !responses[500])).toEqual([]);
  });

  test("names the schema of every JSON body and response", () => {
    const anonymous = Object.entries<Part>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Part>(methods).flatMap(([method, operation]) =>
        contents(operation)
          .filter(({ schema }) => schema.type !== "string" && !schema.$ref)
          .map(() => `${method.toUpperCase()} ${path}`),
      ),
    );
    // The only uploads are files without members.
    expect(anonymous).toEqual([
      "POST /v1/users/me/avatar",
      "PUT /v1/orgs/{org_id}/brand/logo",
      "PUT /v1/orgs/{org_id}/brand/logo-dark",
      "PUT /v1/admin/oauth-clients/{id}/brand/logo",
      "PUT /v1/admin/oauth-clients/{id}/brand/logo-dark",
    ]);
  });

  test("distinguishes the two responses of a sign-in by the status", () => {
    const { oneOf, discriminator } = document.components.schemas.LoginResponse;
    expect(oneOf).toEqual([
      { $ref: "#/components/schemas/LoginSuccess" },
      { $ref: "#/components/schemas/MfaRequired" },
    ]);
    expect(discriminator).toEqual({
      propertyName: "status",
      mapping: { success: "#/components/schemas/LoginSuccess", mfa_required: "#/components/schemas/MfaRequired" },
    });
  });

  test("has parameters of path and query, and no path parameter is missing where there is a query", () => {
    const wrong = offenders((operation, name) => {
      const inPath = operation.parameters
        .filter((each: Part) => each.in === "path")
        .map((each: Part) => `{${each.name}}`);
      return String(name.match(/\{\w+\}/g) ?? []) !== String(inPath);
    });
    expect(wrong).toEqual([]);
    const members = resolved(document, document.paths["/v1/orgs/{org_id}/members"].get.parameters);
    expect(members.map((each: Part) => [each.in, each.name])).toEqual([
      ["path", "org_id"],
      ["query", "page"],
      ["query", "page_size"],
      ["query", "q"],
      ["query", "cursor"],
      ["header", "X-Request-Id"],
    ]);
    const [, page, size] = members;
    expect([page.schema, size.schema]).toMatchObject([
      { type: "integer", minimum: 1, default: 1 },
      { type: "integer", minimum: 1, maximum: 100, default: 25 },
    ]);
  });

  test("has an example of every body, response and parameter", () => {
    expect(
      offenders((each) => contents(each).some(({ example, examples }) => example === undefined && !examples)),
    ).toEqual([]);
    expect(offenders((each) => each.parameters.some(({ example }: Part) => example === undefined))).toEqual([]);
    expect(text).not.toContain("(no example)");
  });

  test("asks for X-Service-CSRF exactly where a cookie may authenticate a POST, PUT or PATCH", () => {
    const wrong = offenders(({ security, parameters }, name) => {
      const guarded = !/^(GET|DELETE) /.test(name) && security.some((each: Part) => "cookie" in each);
      return guarded !== parameters.some((each: Part) => each.name === "X-Service-CSRF");
    });
    expect(wrong).toEqual([]);
    expect(offenders((each) => !each.parameters.some(({ name }: Part) => name === "X-Request-Id"))).toEqual([]);
  });

  test("has the headers of responses: X-Request-Id on all, Retry-After with 429, and individual headers", () => {
    const responses = (operation: Part) => Object.entries<Part>(operation.responses);
    expect(offenders((each) => responses(each).some(([, answer]) => !answer.headers["X-Request-Id"]))).toEqual([]);
    expect(offenders((each) => each.responses[429] && !each.responses[429].headers["Retry-After"])).toEqual([]);
    expect(
      offenders((each) =>
        responses(each).some(([status, answer]) => /^30[23]$/.test(status) && !answer.headers.Location),
      ),
    ).toEqual([]);
    const headers = (path: string, method: string, status: number) =>
      Object.keys(document.paths[path][method].responses[status].headers);
    expect(headers("/v1/auth/login", "post", 200)).toEqual([
      "X-Request-Id",
      "RateLimit",
      "RateLimit-Policy",
      "Set-Cookie",
    ]);
    expect(headers("/v1/admin/audit-export", "get", 200)).toContain("X-Service-Signature");
    expect(headers("/.well-known/service-revocations.json", "get", 304)).toContain("ETag");
  });

  test("names for every signed-in operation the refusals of the guards", () => {
    const implied = (operation: Part, name: string) => {
      const codes = Object.values<Part>(operation.responses).flatMap((response) =>
        Object.keys(response.content?.["application/json"]?.examples ?? {}),
      );
      // Refusals at these endpoints have the format of RFC 6749, and examples without codes of this service.
      if (name.includes(" /oauth2/")) return !("500" in operation.responses && "429" in operation.responses);
      // Refusals at these endpoints have the format of RFC 7644.
      if (name.includes("/scim/v2/")) return !("500" in operation.responses && "429" in operation.responses);
      const signedIn = operation.security.some((each: Part) => "bearer" in each);
      // At this endpoint a cookie without a CSRF header counts as no caller (docs/contract.md, section 12.2).
      const anonymousInstead = name === "POST /v1/auth/email/verify";
      const writes = signedIn && !name.startsWith("GET ") && !anonymousInstead;
      return (
        (writes && !(codes.includes("csrf_failed") && codes.includes("rate_limited"))) ||
        !codes.includes("internal_error")
      );
    };
    expect(offenders((operation, name) => implied(operation, name))).toEqual([]);
  });

  test("says csrf_failed of every DELETE, which refuses what the browser itself calls cross-site", async () => {
    const { client } = await registered((await deployment()).one.url);
    // Directories and applications present a key in a header, which browsers never send by themselves.
    const isByKey = (name: string) => name.includes("/scim/v2/") || name.includes("/oauth2/register/");
    const deletes = operations.filter(({ name }) => name.startsWith("DELETE ") && !isByKey(name));
    expect(deletes.length).toBeGreaterThan(5);
    for (const { name, operation } of deletes) {
      const path = name.split(" ")[1]?.replace(/\{\w+\}/g, "019a0000-0000-7000-8000-000000000000") ?? "";
      const response = await client.delete(path, { headers: { "sec-fetch-site": "cross-site" } });
      expect([name, response.status, response.body.error.code]).toEqual([name, 403, "csrf_failed"]);
      expect(Object.keys(operation.responses[403].content["application/json"].examples)).toContain("csrf_failed");
    }
  });

  test("has nullable members where null is returned or accepted, and formats, enums and bounds", () => {
    const { schemas } = document.components;
    for (const [schema, member] of [
      ["ChallengeMfaRequest", "code"],
      ["ChallengeMfaRequest", "recovery_code"],
      ["ProviderRequest", "secret"],
      ["Provider", "key_id"],
      ["SignedInUser", "mfa_verified_at"],
      ["Me", "display_name"],
    ] as const)
      expect(schemas[schema].properties[member].type).toEqual(["string", "null"]);
    expect(schemas.ProviderRequest.properties.public_config.type).toBe("object");
    expect(schemas.Me.properties.platform_role.anyOf).toContainEqual({ type: "null" });
    expect(schemas.Role).toMatchObject({ type: "string", enum: ["member", "admin", "owner"] });
    expect(schemas.RegisterRequest.properties).toMatchObject({
      email: { pattern: expect.stringContaining("@") },
      password: { minLength: 12, maxLength: 256 },
      organization_name: { minLength: 1, maxLength: 120 },
    });
    expect(schemas.SignedInUser.properties.user_id.format).toBe("uuid");
    expect(schemas.Session.properties.created_at.format).toBe("date-time");
    expect(schemas.Avatar.properties.avatar_url.format).toBe("uri");
  });

  test("holds no keyword of our own, and no pattern for what has a format", () => {
    const ours = new Set(["$id", "documented", "rule", "note", "refusesNull"]);
    const wrong = schemasIn(document).filter(
      (schema) => Object.keys(schema).some((name) => ours.has(name)) || (schema.format === "uuid" && schema.pattern),
    );
    expect(wrong).toEqual([]);
  });

  test("fails an undeclared response: a status, a member, a missing member, a media type", async () => {
    const contract = await loadContract((await deployment()).one.url);
    if (!contract) throw new Error("there is no document");
    const body = { status: "ok" };
    const check = (fields: Partial<ResponseToCheck>, path = "/healthz") => {
      const response = { status: 200, contentType: "application/json", body, text: JSON.stringify(body), ...fields };
      return () => checkResponse(contract, "GET", path, response);
    };
    expect(check({})).not.toThrow();
    expect(check({ status: 418 })).toThrow("status is not declared");
    expect(check({ body: { ...body, extra: 1 } })).toThrow("additional properties");
    expect(check({ body: {} })).toThrow("status");
    expect(check({ contentType: "text/plain" })).toThrow("Content-Type");
    expect(check({}, "/nothing")).toThrow("no operation");
  });
});
