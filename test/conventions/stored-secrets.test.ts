/** Every sealed column has an entry that names the party to which the service sends the secret (G300). */
import { expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/pg-core";
import { changesRecipient, STORED_SECRETS } from "../../src/flows/steps/credentials/stored-secrets.ts";
import { declaredTables } from "../support/declared-tables.ts";

const configs = (await declaredTables()).map(getTableConfig);
const columns = configs.flatMap(({ name, columns: all }) => all.map((column) => `${name}.${column.name}`));

test("Every sealed column is in STORED_SECRETS, and STORED_SECRETS has no further entry.", () => {
  const sealed = columns.filter((column) => column.includes(".sealed_"));
  expect(Object.keys(STORED_SECRETS).sort()).toEqual(sealed.sort());
});

test("A stored secret ends with a change of its recipient, and with no further change.", () => {
  const before = { issuer: "https://idp.acme.com", client_id: "service" };
  const isChanged = (after: object) => changesRecipient("sso_connections.sealed_secret", before, after);
  expect(isChanged({ ...before })).toBe(false);
  expect(isChanged({ ...before, client_id: "other" })).toBe(false);
  expect(isChanged({ ...before, issuer: "https://idp.acme.com/" })).toBe(true);
  expect(isChanged({ ...before, issuer: null })).toBe(true);
});
