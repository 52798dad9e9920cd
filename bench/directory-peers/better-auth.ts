/** Serves @better-auth/scim on Bun with as many connections to PostgreSQL as the service. Prints the address. */
import { scim } from "@better-auth/scim";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Pool } from "pg";

const options = {
  database: new Pool({ connectionString: process.env.DATABASE_URL, max: 16 }),
  secret: "a secret for the bench that is long enough",
  baseURL: "http://localhost:3000",
  trustedOrigins: ["*"],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // With the default of 100, groups of more than 100 members are refused.
  advanced: { database: { defaultFindManyLimit: 1_000 } },
  logger: { level: "error" as const },
  plugins: [
    scim({
      connections: [
        {
          id: "bench",
          credentials: [{ type: "bearer", id: "bench", token: String(process.env.SCIM_TOKEN) }],
        },
      ],
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => auth.handler(request) });
console.log(JSON.stringify({ url: server.url.origin }));
process.on("SIGTERM", () => process.exit(0));
