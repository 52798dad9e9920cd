/**
 * The names of the groups of members, of the organization and of the directories, in SQL. The function
 * `end_tokens_beyond_groups` of the database (db/functions) compares with the same groups: a change here needs a
 * migration of the function. `member`: a relation with the columns `user_id` and `organization_id`.
 */
import type { Fragment, Sql } from "../../database/database.ts";

/** Query with the column `name`: groups of the organization. `x` and `g` are the rows to lock. */
export function ownGroupNames(sql: Sql, member: Fragment): Fragment {
  return sql`
    select g.name from ${member} named
    join member_group_members x on x.user_id = named.user_id and x.organization_id = named.organization_id
    join member_groups g on g.id = x.group_id`;
}

/** Query with the column `name`: groups of the organization's directories. `x` and `g` are the rows to lock. */
export function directoryGroupNames(sql: Sql, member: Fragment): Fragment {
  return sql`
    select g.display_name as name from ${member} named
    join directory_users r on r.user_id = named.user_id
    join directories d on d.id = r.directory_id and d.organization_id = named.organization_id
    join directory_group_members x on x.record_id = r.id
    join directory_groups g on g.id = x.group_id`;
}

/** Query with the column `name`: each name once. A sort and a limit may follow. */
export function groupNames(sql: Sql, member: Fragment): Fragment {
  return sql`${directoryGroupNames(sql, member)} union ${ownGroupNames(sql, member)}`;
}
