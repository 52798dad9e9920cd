import { defineConfig } from "drizzle-kit";

/** `npm run migration:generate` compares db/schema with db/migrations and writes the next migration. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema",
  out: "./db/migrations",
});
