/** Every table with the person who made a row is in `CREATIONS` or `CREDENTIAL_KINDS`, or a reason stands below. */
import { describe, expect, test } from "bun:test";
import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { CREATION_KINDS } from "../../src/models/creation/creation.ts";
import { declaredTables } from "../support/declared-tables.ts";

/** Columns with the user who made, sent, requested, decided or activated something. */
const MAKER_COLUMN = /^[a-z_]+_by$/;

/** The kind of each column in `CREATIONS`. */
const KINDS_OF_COLUMNS: Readonly<Record<string, (typeof CREATION_KINDS)[number]>> = {
  "api_keys.created_by": "api_keys",
  "service_account_trusts.created_by": "trusts",
  "webhooks.created_by": "webhooks",
  "invitations.invited_by": "invitations",
  "sso_setup_links.created_by": "setup_links",
  "sso_connections.activated_by": "connections",
  "sso_connections.created_by": "connections",
  "organization_domains.claimed_by": "domains",
};

/** Columns without an item that goes on after a removal. */
const NOT_LISTED: Readonly<Record<string, string>> = {
  "deletions.requested_by": "owners have the mail with the cancellation",
  "mailed_tokens.issued_by": "a ticket, which ends with the credential",
  "organization_applications.decided_by": "a decision of the organization, which its page lists",
  "organization_applications.requested_by": "a request that others decide",
  "sso_connections.claims_set_by": "a change of a connection, which a new rule for roles names",
  "service_accounts.created_by": "a name; the keys act",
};

/** Texts or closed sets, which name no user. */
const NAMES_NO_USER = new Set(["managed_by", "sent_by", "linked_by"]);

async function makerColumns(): Promise<readonly string[]> {
  return (await declaredTables()).flatMap((table) =>
    getTableConfig(table)
      .columns.filter(({ name }) => MAKER_COLUMN.test(name) && !NAMES_NO_USER.has(name))
      .map(({ name }) => `${getTableName(table)}.${name}`),
  );
}

describe("CREATIONS", () => {
  test("has every column with the maker of a row, or a reason stands for its absence (G296)", async () => {
    const listed = [...Object.keys(KINDS_OF_COLUMNS), ...Object.keys(NOT_LISTED)];
    expect([...(await makerColumns())].sort()).toEqual(listed.sort());
  });

  test("has a column for every kind", () => {
    const kinds = new Set([...Object.values(KINDS_OF_COLUMNS), "event_streams" as const]);
    expect([...CREATION_KINDS].sort()).toEqual([...kinds].sort());
  });
});
