/** Transactions with an equal turn run in sequence on a single connection (docs/guarantees.md, G353). */
import { expect, test } from "bun:test";
import { openDatabase, type Sql } from "../../src/database/database.ts";
import { DATABASE_TURN_MAX } from "../../src/limits/database-limits.ts";
import { freshDatabase } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

async function open() {
  return openDatabase({ url: await freshDatabase("empty"), connections: 2, telemetry: await silentTelemetry() });
}

test("Transactions of one turn run in sequence, and no further transaction waits for the turn.", async () => {
  const database = await open();
  const order: string[] = [];
  let underway = 0;
  const gate = Promise.withResolvers<void>();
  const gated = (name: string) => async (sql: Sql) => {
    underway += 1;
    expect(underway).toBe(1);
    await gate.promise;
    await sql`select 1`;
    underway -= 1;
    order.push(name);
  };
  const changes = Array.from({ length: 10 }, (_, index) => database.transaction("test", gated(`${index}`), "acme"));
  await database.transaction("test", async () => void order.push("other"), "other");
  expect(order).toEqual(["other"]);
  gate.resolve();
  await Promise.all(changes);
  expect(order.slice(1)).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
  await database.close();
});

test("A failed transaction ends its turn, and a transaction beyond the bound is refused at once.", async () => {
  const database = await open();
  const failing = database.transaction("test", (sql) => sql`select 1 / 0`, "acme");
  const following = database.transaction("test", async () => "done", "acme");
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(await following).toBe("done");
  const end = Promise.withResolvers<void>();
  const held = Array.from({ length: DATABASE_TURN_MAX }, () =>
    database.transaction("test", async () => await end.promise, "acme"),
  );
  await expect(database.transaction("test", async () => 1, "acme")).rejects.toThrow("too many transactions");
  expect(await database.transaction("test", async () => 1, "other")).toBe(1);
  end.resolve();
  await Promise.all(held);
  await database.close();
});
