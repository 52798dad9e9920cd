/** `npm run migration:generate` compares db/schema with db/migrations and writes the next migration. */
export default {
  dialect: "postgresql",
  schema: "./db/schema",
  out: "./db/migrations",
};
