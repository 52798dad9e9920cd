import { defineCommand } from "citty";
import { migrate } from "../../db/migrate.ts";
import { withFoundation } from "./configured.ts";

/** Safe beside running replicas and concurrent migrations (G30). */
export const migrateCommand = defineCommand({
  meta: { name: "migrate", description: "Apply the database migrations of this build" },
  async run() {
    const { applied } = await withFoundation(({ databaseUrl }) => migrate(databaseUrl));
    console.log(applied === 0 ? "Nothing to do: the database is up to date." : `Applied ${applied} migration(s).`);
  },
});
