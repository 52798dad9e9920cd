/**
 * Serves scimmy with scimmy-routers and Express on Bun. Resources are documents of jsonb with an index of `userName`; a
 * filter of `userName eq` uses the index, and scimmy evaluates every other filter. Prints the address.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import express from "express";
import { Pool } from "pg";
import SCIMMY from "scimmy";
import SCIMMYRouters from "scimmy-routers";

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
await pool.query(`
  create table users (id uuid primary key, key text not null unique, document jsonb not null);
  create table groups (id uuid primary key, key text not null unique, document jsonb not null)`);

interface Row {
  readonly id: string;
  readonly document: Record<string, unknown>;
}
interface Addressed {
  readonly id?: string;
  readonly filter?: { readonly expression?: string };
  readonly constraints?: { startIndex?: number; count?: number; totalResults?: number };
}

const resourceOf = ({ id, document }: Row) => ({ ...document, id });

/** Pages of PostgreSQL: scimmy reads the number of all results from the constraints, and cuts no further. */
async function read(table: "groups" | "users", { id, filter, constraints = {} }: Addressed) {
  if (id !== undefined) {
    const { rows } = await pool.query<Row>(`select id, document from ${table} where id = $1`, [id]);
    const [row] = rows;
    if (!row) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
    return resourceOf(row);
  }
  const name = /^(?:userName|displayName) eq "([^"]*)"$/i.exec(filter?.expression ?? "")?.[1];
  if (name !== undefined) {
    const { rows } = await pool.query<Row>(`select id, document from ${table} where key = $1`, [name.toLowerCase()]);
    return rows.map(resourceOf);
  }
  const { startIndex = 1, count = 100 } = constraints;
  const [counted, page] = await Promise.all([
    pool.query<{ total: number }>(`select count(*)::int as total from ${table}`),
    pool.query<Row>(`select id, document from ${table} order by id limit $1 offset $2`, [count, startIndex - 1]),
  ]);
  constraints.totalResults = counted.rows[0]?.total ?? 0;
  return page.rows.map(resourceOf);
}

async function write(table: "groups" | "users", given: string | undefined, key: string, document: object) {
  const id = given ?? randomUUID();
  const values = [id, key.toLowerCase(), JSON.stringify({ ...document, id: undefined })];
  if (given === undefined) await pool.query(`insert into ${table} (id, key, document) values ($1, $2, $3)`, values);
  else await pool.query(`update ${table} set key = $2, document = $3 where id = $1`, values);
  return { ...document, id };
}

SCIMMY.Resources.declare(SCIMMY.Resources.User)
  .ingress((resource, data) => write("users", resource.id, String(data.userName), data) as never)
  .egress((resource) => read("users", resource as Addressed) as never)
  .degress(async ({ id }) => void (await pool.query("delete from users where id = $1", [id])));
SCIMMY.Resources.declare(SCIMMY.Resources.Group)
  .ingress((resource, data) => write("groups", resource.id, String(data.displayName), data) as never)
  .egress((resource) => read("groups", resource as Addressed) as never)
  .degress(async ({ id }) => void (await pool.query("delete from groups where id = $1", [id])));

const app = express();
/** scimmy ignores positions that are text, as Express reads every query. */
const numeric = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);
const readQuery = (query: string) => [...new URLSearchParams(query)].map(([name, text]) => [name, numeric(text)]);
app.set("query parser", (query: string) => Object.fromEntries(readQuery(query)));
const token = `Bearer ${process.env.SCIM_TOKEN}`;
const routers = new SCIMMYRouters({
  type: "bearer",
  handler: (request) => {
    if (request.header("authorization") !== token) throw new Error("The key is not valid.");
    return "bench";
  },
});
app.use("/scim/v2", routers as never);
const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.on("SIGTERM", () => process.exit(0));
