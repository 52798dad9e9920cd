/** Every endpoint of an organization names the permission that guards the endpoint (docs/contract.md, chapter 32). */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { allEndpoints, type ServerDeps } from "../../src/http/server.ts";
import { PERMISSIONS } from "../../src/vocabulary/permissions.ts";
import { CONTRACT_FILE, organizationEndpoints, withGeneratedParts } from "../../tools/contract-tables.ts";

const contract = readFileSync(CONTRACT_FILE, "utf8");

test("Every endpoint of an organization declares a permission, and no further endpoint does (G190).", () => {
  const undeclared = organizationEndpoints().filter(({ permission }) => permission === undefined);
  expect(undeclared.map(({ operationId }) => operationId)).toEqual([]);
  const organization = new Set(organizationEndpoints().map(({ operationId }) => operationId));
  const misplaced = allEndpoints({} as ServerDeps).filter(
    ({ operationId, permission }) =>
      permission !== undefined && permission !== "platform" && !organization.has(operationId),
  );
  expect(misplaced.map(({ operationId }) => operationId)).toEqual([]);
});

test("The contract has the catalogue, permissions and problems of the declarations (`npm run docs:contract`).", () => {
  expect(withGeneratedParts(contract)).toBe(contract);
  expect(contract.match(/<!-- generated:/g)?.length).toBe(contract.match(/<!-- \/generated -->/g)?.length);
  for (const part of ["catalogue", "permissions"]) expect(contract).toContain(`<!-- generated:${part} -->\n|`);
});

test("The contract describes every built-in permission.", () => {
  const undescribed = PERMISSIONS.filter((permission) => !contract.includes(`\n| \`${permission}\` | `));
  expect(undescribed).toEqual([]);
});
