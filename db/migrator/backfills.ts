/**
 * Statements of migrations that change every row of a table of users, in batches: a batch locks its rows for
 * milliseconds, and the table serves meanwhile. Every form is safe to repeat after an interruption.
 */
import type postgres from "postgres";

export interface Backfill {
  /** The beginning of the statement in the migration. */
  readonly statement: string;
  /** The table that decides by its size between the statement and the batches. */
  readonly table: string;
  /** Changes of the schema before the batches, in a transaction. */
  readonly before?: readonly string[];
  /** The columns of the primary key: the order of the batches. */
  readonly key: readonly string[];
  /** Changes the rows of a page: `page` is the common table expression with the keys. */
  readonly change: string;
  /** Changes of the schema after the batches, each in a transaction of its own. */
  readonly after?: readonly string[];
}

const BATCH = 2_000;

export const BACKFILLS: readonly Backfill[] = [
  {
    statement: `UPDATE "users" SET "controlled_at" = "email_verified_at"`,
    table: "users",
    key: ["id"],
    change: `
      update users u set controlled_at = u.email_verified_at from page
      where u.id = page.id and u.email_verified_at is not null and u.controlled_at is null`,
  },
  {
    statement: `ALTER TABLE "user_identities" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL`,
    table: "user_identities",
    before: [
      "alter table user_identities add column if not exists id uuid",
      "alter table user_identities alter column id set default gen_random_uuid()",
    ],
    key: ["provider", "issuer", "subject"],
    change: `
      update user_identities i set id = gen_random_uuid() from page
      where (i.provider, i.issuer, i.subject) = (page.provider, page.issuer, page.subject) and i.id is null`,
    // A verified check spares the scan under the strongest lock.
    after: [
      "alter table user_identities drop constraint if exists user_identities_id_present",
      "alter table user_identities add constraint user_identities_id_present check (id is not null) not valid",
      "alter table user_identities validate constraint user_identities_id_present",
      "alter table user_identities alter column id set not null, drop constraint user_identities_id_present",
    ],
  },
  {
    // A default that is not constant would rewrite the table under its strongest lock.
    statement: `ALTER TABLE "users" ADD COLUMN "number" bigint DEFAULT nextval('users_number_seq')`,
    table: "users",
    before: [
      "alter table users add column if not exists number bigint",
      "alter table users alter column number set default nextval('users_number_seq')",
    ],
    key: ["id"],
    change: `
      update users u set number = nextval('users_number_seq') from page where u.id = page.id and u.number is null`,
  },
  {
    // The triggers of the same migration copy concurrent writes, whose row is then present. `for key share`: the
    // foreign key of a user deleted meanwhile would refuse the batch.
    statement: `INSERT INTO "user_emails"`,
    table: "users",
    key: ["id"],
    change: `
      insert into user_emails (user_id, email, verified_at, controlled_at, "primary", created_at)
      select u.id, u.email, u.email_verified_at, u.controlled_at, true, u.created_at
      from users u join page on page.id = u.id for key share of u
      on conflict do nothing`,
  },
];

export function findBackfill(statement: string): Backfill | undefined {
  return BACKFILLS.find((backfill) => statement.startsWith(backfill.statement));
}

type Key = readonly (string | null)[];

/** Changes the rows after a key, in the order of the keys. Returns the last key; `undefined`: no further row. */
export async function changeBatch(
  transaction: postgres.TransactionSql,
  { table, key, change }: Backfill,
  after: Key | undefined,
): Promise<Key | undefined> {
  const columns = key.join(", ");
  const places = key.map((_, at) => `$${at + 1}`).join(", ");
  const from = after ? `where (${columns}) > (${places})` : "";
  const [last] = await transaction.unsafe<Record<string, string>[]>(
    `with page as materialized (select ${columns} from ${table} ${from} order by ${columns} limit ${BATCH}),
       changed as (${change})
     select ${columns} from page order by ${key.map((column) => `${column} desc`).join(", ")} limit 1`,
    after ? [...after] : [],
  );
  return last && key.map((column) => last[column] ?? null);
}
