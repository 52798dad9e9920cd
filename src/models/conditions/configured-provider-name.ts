import type { Fragment, Sql } from "../../database/database.ts";

/**
 * The name of a provider by configuration, else the key: a fixed provider has its name in the program. `provider`: a
 * column with the name of its table.
 */
export function configuredProviderName(sql: Sql, provider: Fragment): Fragment {
  const configured = sql`select p.config ->> 'name' from social_providers p where p.provider = ${provider}`;
  return sql`coalesce((${configured}), ${provider})`;
}
