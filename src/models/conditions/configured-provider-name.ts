import type { Fragment, Sql } from "../../database/database.ts";

/** The name of a provider by configuration, else the key: a fixed provider has its name in the program. */
export function configuredProviderName(sql: Sql, provider: Fragment): Fragment {
  return sql`coalesce((select p.config ->> 'name' from social_providers p where p.provider = ${provider}), ${provider})`;
}
