import { defineCommand } from "citty";
import { inspectRoleOf, migrate, setRoleSettings } from "../../db/migrate.ts";
import { startupParameters } from "../database/server-settings.ts";
import type { Foundation } from "../foundation.ts";
import { awaitDatabase } from "./await-database.ts";
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

/**
 * Behind a pooler the command also gives the role of the service its settings, through the pooler. If another role owns
 * the tables, the role of `DATABASE_URL` gets the privileges required by replicas only.
 */
async function migrateConfigured({ config, databaseUrl }: Foundation) {
  const { migrationUrl, pooler } = config.database;
  await awaitDatabase(() => inspectRoleOf(migrationUrl ?? databaseUrl), {
    onWaiting: (cause) => console.error(`PostgreSQL: ${cause}. Waiting for the start of PostgreSQL.`),
  });
  if (pooler !== "none") await setRoleSettings(databaseUrl, startupParameters);
  const onBlocked = () => console.error(BLOCKED);
  const replicas = await replicaRole(config, databaseUrl);
  return await migrate(migrationUrl ?? databaseUrl, { onBlocked, replicas });
}

/** The role of `DATABASE_URL`, unless this role migrates. */
async function replicaRole({ database, auditRetentionMs }: Foundation["config"], databaseUrl: string) {
  if (!database.migrationUrl) return undefined;
  const [service, owner] = await Promise.all([databaseUrl, database.migrationUrl].map(inspectRoleOf));
  return !service || service.name === owner?.name ? undefined : { name: service.name, auditRetentionMs };
}
