/** Serves better-auth on Bun with equal Argon2id cost, PostgreSQL and number of connections. Prints the address. */
import { hash, verify } from "@node-rs/argon2";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { bearer } from "better-auth/plugins/bearer";
import { Pool } from "pg";

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const options = {
  database: new Pool({ connectionString: process.env.DATABASE_URL, max: 16 }),
  secret: "a secret for the bench that is long enough",
  baseURL: "http://localhost:3000",
  trustedOrigins: ["*"],
  emailAndPassword: {
    enabled: true,
    password: {
      hash: (password: string) => hash(password, COST),
      verify: (given: { hash: string; password: string }) => verify(given.hash, given.password),
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" as const },
  plugins: [bearer()],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => auth.handler(request) });
console.log(JSON.stringify({ url: server.url.origin }));
process.on("SIGTERM", () => process.exit(0));
