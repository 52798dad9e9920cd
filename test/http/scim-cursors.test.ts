/** Lists by cursor over two replicas, beside the creation and deletion of other records (G278). */
import { expect, test } from "bun:test";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, type ScimClient, scimClient, userBody } from "../support/directories.ts";

const LASTING = 300;
const CHANGED = 1_000;
/** Records that one statement creates between two pages. */
const BATCH = 40;
const PAGE = 10;

/** Inserts records with ids of the last day: before and behind the position of any list. */
async function insertRecords({ sql }: Deployment, organizationId: string, prefix: string, count: number) {
  const rows = await sql<{ id: string }[]>`
    with named as (
      select d.id as directory_id, ${prefix}::text || n as name
      from directories d, generate_series(1, ${count}::int) n where d.organization_id = ${organizationId}
    ), counted as (
      update directories set user_count = user_count + ${count} where organization_id = ${organizationId}
    )
    insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                 version, created_at, updated_at)
    select uuidv7(random() * interval '-1 day'), directory_id, name, name, true,
           jsonb_build_object('userName', name, 'active', true), '{}', 'none', 1, now(), now()
    from named returning id`;
  return rows.map(({ id }) => id);
}

async function deleteRecords({ sql }: Deployment, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`
    with deleted as (delete from directory_users where id = any(${[...ids]}::uuid[]) returning id)
    update directories set user_count = user_count - (select count(*) from deleted)
    where organization_id = ${organizationId}`;
}

/** Creates records, and deletes the records of the preceding call: by statements, and one by the endpoints. */
function changesOf(at: Deployment, organizationId: string, scim: ScimClient) {
  const deleted = new Set<string>();
  let created = 0;
  let round = 0;
  let present: readonly string[] = [];
  const change = async () => {
    round += 1;
    const [former, prefix] = [present, `passing-${round}-`];
    const [inserted, posted] = await Promise.all([
      insertRecords(at, organizationId, prefix, BATCH - 1),
      scim("POST", "/Users", userBody(prefix)),
      deleteRecords(at, organizationId, former.slice(1)),
      ...former.slice(0, 1).map((id) => scim("DELETE", `/Users/${id}`)),
    ]);
    expect(posted.status).toBe(201);
    present = [posted.body.id, ...inserted];
    created += present.length;
    for (const id of former) deleted.add(id);
  };
  return { change, deleted, counts: () => ({ created, deleted: deleted.size }) };
}

/** The pages of a list by cursor, and the ids of each page. */
function pagesOf(scim: ScimClient, query: string) {
  const seen: string[] = [];
  let cursor: string | undefined = "";
  const next = async (): Promise<readonly string[]> => {
    if (cursor === undefined) return [];
    const { status, body } = await scim("GET", `/Users?count=${PAGE}${query}&cursor=${cursor}`);
    expect(status).toBe(200);
    const ids: string[] = body.Resources.map(({ id }: { id: string }) => id);
    seen.push(...ids);
    cursor = body.nextCursor;
    return ids;
  };
  return { next, seen, isComplete: () => cursor === undefined };
}

test("A list by cursor has every lasting record once, and no deleted record, beside 1,000 changes.", async () => {
  const at = await deployment();
  const { scim, key, organizationId } = await directoryOf(at);
  const other = scimClient(at.other.url, key);
  const lasting = await insertRecords(at, organizationId, "lasting-", LASTING);
  const { change, deleted, counts } = changesOf(at, organizationId, other);
  const filter = encodeURIComponent('userName co "-" and active eq true');
  const lists = [pagesOf(scim, ""), pagesOf(other, `&filter=${filter}`)];
  while (!lists.every(({ isComplete }) => isComplete())) {
    const gone = new Set(deleted);
    // The changes run between the pages, and beside the page of each list.
    const [, ...pages] = await Promise.all([change(), ...lists.map(({ next }) => next())]);
    expect(pages.flat().filter((id) => gone.has(id))).toEqual([]);
  }
  const stays = new Set(lasting);
  for (const { seen } of lists) {
    expect(seen.filter((id) => stays.has(id))).toEqual(lasting.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  }
  expect(counts().created).toBeGreaterThanOrEqual(CHANGED);
  expect(counts().deleted).toBeGreaterThanOrEqual(CHANGED);
});
