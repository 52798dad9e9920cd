/** Every endpoint of an organization names the permission that guards the endpoint (docs/contract.md, chapter 32). */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { ProblemCode } from "../../src/base/problem.ts";
import { KINDS, servesPrograms } from "../../src/http/guards/any-caller.ts";
import { PEOPLE_ONLY_OPERATIONS } from "../../src/http/guards/people-only.ts";
import { statusOf } from "../../src/http/problem-status.ts";
import { allEndpoints, type ServerDeps } from "../../src/http/server.ts";
import { PERMISSIONS } from "../../src/vocabulary/permissions.ts";
import { declaredEndpoints } from "../../tools/client-types.ts";
import { CONTRACT_FILE, schemaNamed, tablesByHand, withGeneratedParts } from "../../tools/contract-tables.ts";

const contract = readFileSync(CONTRACT_FILE, "utf8");

test("Every endpoint has one kind, and an administrative endpoint exactly one permission (G475).", () => {
  for (const { operationId, auth, permission } of allEndpoints({} as ServerDeps)) {
    const isAdministrative = KINDS[auth] === "administrative";
    expect([operationId, permission !== undefined]).toEqual([operationId, isAdministrative]);
  }
});

test("Administrative endpoints for people alone are listed with a reason (G475).", () => {
  const endpoints = allEndpoints({} as ServerDeps);
  const people = endpoints.filter(({ auth }) => auth === "people").map(({ operationId }) => operationId);
  expect(people.filter((operationId) => !Object.hasOwn(PEOPLE_ONLY_OPERATIONS, operationId))).toEqual([]);
  const served = endpoints.filter((each) => servesPrograms(each)).map(({ operationId }) => operationId);
  expect(Object.keys(PEOPLE_ONLY_OPERATIONS).filter((operationId) => served.includes(operationId))).toEqual([]);
});

test("Endpoints of organizations and below /admin are administrative, or of the caller alone (G190, G475).", () => {
  const below = allEndpoints({} as ServerDeps).filter(({ path }) => /^\/(?:admin|orgs\/:org_id)\//.test(path));
  const others = below.filter(({ auth }) => KINDS[auth] !== "administrative").map(({ operationId }) => operationId);
  expect(others).toEqual(["joinOrganization"]);
});

test("The contract has catalogue, fields, permissions and problems of declarations (`npm run docs:contract`).", () => {
  expect(withGeneratedParts(contract)).toBe(contract);
  expect(contract.match(/<!-- generated:/g)?.length).toBe(contract.match(/<!-- \/generated -->/g)?.length);
  for (const part of ["catalogue", "permissions"]) expect(contract).toContain(`<!-- generated:${part} -->\n|`);
});

test("A table of the contract by hand names every member of its object, and no further member.", () => {
  const tables = tablesByHand(contract);
  expect(tables.length).toBe(contract.match(/<!-- members:/g)?.length ?? 0);
  for (const [schema, names] of tables) {
    expect([schema, ...names.toSorted()]).toEqual([schema, ...Object.keys(schemaNamed(schema).properties).toSorted()]);
  }
});

test("The errors of a section by hand have the status of every declared problem of the endpoint.", () => {
  const sections = new Map(contract.split(/^(?=### )/m).map((text) => [/^### [\d.]+ (.+)/.exec(text)?.[1], text]));
  const gaps = declaredEndpoints().flatMap(({ method, path, problems }) => {
    const text = sections.get(`${method} /v1${path}`) ?? "";
    if (!text.includes("Errors: ")) return [];
    const isNamed = (code: ProblemCode) => text.includes(`\`${code}\``) || text.includes(String(statusOf(code)));
    return problems.filter((code) => !isNamed(code)).map((code) => `${method} ${path} ${code}`);
  });
  expect(gaps).toEqual([]);
});

test("The contract describes every built-in permission.", () => {
  const undescribed = PERMISSIONS.filter((permission) => !contract.includes(`\n| \`${permission}\` | `));
  expect(undescribed).toEqual([]);
});
