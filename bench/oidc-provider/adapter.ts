/** The adapter of oidc-provider for PostgreSQL: a table with models as jsonb, and an index for each lookup. */
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Sql } from "postgres";

export async function createModels(sql: Sql): Promise<void> {
  await sql`
    create table models (
      kind text not null,
      id text not null,
      payload jsonb not null,
      grant_id text,
      user_code text,
      uid text,
      expires_at timestamptz,
      consumed_at timestamptz,
      primary key (kind, id)
    )`;
  await sql`create index on models (grant_id) where grant_id is not null`;
  await sql`create index on models (kind, user_code) where user_code is not null`;
  await sql`create index on models (kind, uid) where uid is not null`;
  await sql`create index on models (expires_at)`;
}

/** Returns the adapter of a kind of model. Lifetimes are seconds. */
export function adapterOf(sql: Sql, kind: string): Adapter {
  const first = async (rows: Promise<readonly Found[]>): Promise<AdapterPayload | undefined> => {
    const [row] = await rows;
    return row && (row.consumed === null ? row.payload : { ...row.payload, consumed: row.consumed });
  };
  return {
    async upsert(id, payload, expiresIn) {
      const { grantId = null, userCode = null, uid = null } = payload;
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await sql`
        insert into models (kind, id, payload, grant_id, user_code, uid, expires_at)
        values (${kind}, ${id}, ${sql.json(payload as never)}, ${grantId}, ${userCode}, ${uid}, ${expiresAt})
        on conflict (kind, id) do update
          set payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
              uid = excluded.uid, expires_at = excluded.expires_at`;
    },
    find: (id) => first(sql<Found[]>`select ${columns(sql)} from models where kind = ${kind} and id = ${id}`),
    findByUid: (uid) => first(sql<Found[]>`select ${columns(sql)} from models where kind = ${kind} and uid = ${uid}`),
    findByUserCode: (code) =>
      first(sql<Found[]>`select ${columns(sql)} from models where kind = ${kind} and user_code = ${code}`),
    async consume(id) {
      await sql`update models set consumed_at = now() where kind = ${kind} and id = ${id}`;
    },
    async destroy(id) {
      await sql`delete from models where kind = ${kind} and id = ${id}`;
    },
    async revokeByGrantId(grantId) {
      await sql`delete from models where grant_id = ${grantId}`;
    },
  };
}

interface Found {
  readonly payload: AdapterPayload;
  readonly consumed: number | null;
}

function columns(sql: Sql) {
  return sql`payload, extract(epoch from consumed_at)::int as consumed`;
}
