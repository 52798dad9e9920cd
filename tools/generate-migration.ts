/**
 * `npm run migration:generate -- --name <what>` compares db/schema with the newest snapshot of db/migrations, writes
 * the next migration with its snapshot, and deletes the snapshot before: drizzle-kit reads the newest alone.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const META = join(import.meta.dir, "../db/migrations/meta");

const { exitCode } = Bun.spawnSync(["npx", "drizzle-kit", "generate", ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit"],
});
if (exitCode !== 0) process.exit(exitCode);
const snapshots = readdirSync(META).filter((name) => name.endsWith("_snapshot.json"));
for (const older of snapshots.sort().slice(0, -1)) rmSync(join(META, older));
