/** Serves better-auth with the admin plugin on Bun, with as many connections to PostgreSQL. Prints the address. */
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin } from "better-auth/plugins/admin";
import { bearer } from "better-auth/plugins/bearer";
import { Pool } from "pg";

const options = {
  database: new Pool({ connectionString: process.env.DATABASE_URL, max: 16 }),
  secret: "a secret for the bench that is long enough",
  baseURL: "http://localhost:3000",
  trustedOrigins: ["*"],
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" as const },
  plugins: [bearer(), admin()],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => auth.handler(request) });
console.log(JSON.stringify({ url: server.url.origin }));
process.on("SIGTERM", () => process.exit(0));
