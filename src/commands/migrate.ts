import { defineCommand } from "citty";
import { migrate, setRoleTimeouts } from "../../db/migrate.ts";
import { DATABASE_STATEMENT_TIMEOUT_MS } from "../base/limits.ts";
import type { Foundation } from "../foundation.ts";
import { withFoundation } from "./configured.ts";

const BLOCKED = "A long transaction, such as a backup, uses a table that a migration changes: trying again.";

/** Safe beside running replicas and concurrent migrations (G30). */
export const migrateCommand = defineCommand({
  meta: { name: "migrate", description: "Apply the database migrations of this build" },
  async run() {
    const { applied } = await withFoundation(migrateConfigured);
    console.log(applied === 0 ? "Nothing to do: the database is up to date." : `Applied ${applied} migration(s).`);
  },
});

/** Behind a pooler it also sets the time-outs of the role that the service uses, by way of the pooler. */
async function migrateConfigured({ config, databaseUrl }: Foundation) {
  const { migrationUrl, pooler } = config.database;
  if (pooler !== "none") await setRoleTimeouts(databaseUrl, DATABASE_STATEMENT_TIMEOUT_MS);
  return await migrate(migrationUrl ?? databaseUrl, () => console.error(BLOCKED));
}
