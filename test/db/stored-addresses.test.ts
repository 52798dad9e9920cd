/** Addresses with an internationalized domain of before the triggers, and of replicas of 1.0.0 (G305). */
import { beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { freshDatabase, openSql } from "../support/services.ts";

const MIGRATIONS = join(import.meta.dirname, "../../db/migrations");
const TABLES = ["users", "user_emails", "email_reservations", "email_changes", "invitations"] as const;
const [ENTERED, STORED] = ["l@bücher.test", "l@xn--bcher-kva.test"] as const;

let sql: postgres.Sql;
beforeAll(async () => {
  sql = openSql(await freshDatabase());
});

async function insertUser(email: string): Promise<string> {
  const id = randomUUID();
  await sql`insert into users (id, email, created_at, updated_at) values (${id}, ${email}, now(), now())`;
  return id;
}

async function switchTriggers(state: "enable" | "disable"): Promise<void> {
  for (const table of TABLES) await sql.unsafe(`alter table ${table} ${state} trigger ${table}_ascii_address`);
}

async function addressesOf(userId: string): Promise<string[]> {
  const rows = await sql`
    select email from users where id = ${userId} union all select email from user_emails where user_id = ${userId}`;
  return rows.map(({ email }) => email);
}

test("Every write stores the domain as A-labels, and one mailbox has one user.", async () => {
  const userId = await insertUser(ENTERED);
  expect(await addressesOf(userId)).toEqual([STORED, STORED]);
  await expect(insertUser(STORED)).rejects.toThrow("users_email_key");
  await sql`update users set email = 'm@bücher.test' where id = ${userId}`;
  expect((await addressesOf(userId)).sort()).toEqual([STORED, "m@xn--bcher-kva.test", "m@xn--bcher-kva.test"]);
  expect(await addressesOf(await insertUser("jörg@ascii.test"))).toEqual(["jörg@ascii.test", "jörg@ascii.test"]);
});

test("The migration converts stored addresses, except an address with the ASCII form at a second user.", async () => {
  await switchTriggers("disable");
  const [converted, taken] = [await insertUser("a@bücher.test"), await insertUser("b@bücher.test")];
  await sql`
    insert into user_emails (user_id, email, verified_at, "primary", created_at)
    values (${converted}, 'second@bücher.test', now(), false, now())`;
  await sql`
    insert into email_reservations (email, user_id, expires_at) values ('former@bücher.test', ${converted}, now())`;
  await switchTriggers("enable");
  await insertUser("b@xn--bcher-kva.test");
  const file = readdirSync(MIGRATIONS).find((name) => name.endsWith("_stored_addresses.sql")) ?? "";
  for (const statement of readFileSync(join(MIGRATIONS, file), "utf8").split("--> statement-breakpoint"))
    await sql.unsafe(statement);
  const [primary, second] = ["a@xn--bcher-kva.test", "second@xn--bcher-kva.test"];
  expect((await addressesOf(converted)).sort()).toEqual([primary, primary, second] as string[]);
  expect(await addressesOf(taken)).toEqual(["b@bücher.test", "b@bücher.test"]);
  const [reservation] = await sql`select email from email_reservations`;
  expect(reservation?.email).toBe("former@xn--bcher-kva.test");
});
