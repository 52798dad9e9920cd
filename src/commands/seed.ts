import { defineCommand } from "citty";
import { migrate } from "../../db/migrate.ts";
import { DEMO_PASSWORD, type SeedOutcome, seedDemo } from "../flows/platform/seed-demo.ts";
import type { Foundation } from "../foundation.ts";
import { HASH_DEADLINE_MS } from "../limits/process-limits.ts";
import { openHashPool } from "../pool/pool.ts";
import { configured, withFoundation } from "./configured.ts";

/** Demo data for development. Refused in production, because the password is public. */
export const seedCommand = defineCommand({
  meta: {
    name: "seed",
    description:
      "Fill the database with demo data: two organizations with an owner, an admin and a member each, and a platform " +
      "owner, all with one printed password. Safe to repeat; refused with NODE_ENV=production.",
  },
  async run() {
    if (configured().production) throw new Error("seed is refused with NODE_ENV=production: its password is public");
    const outcome = await withFoundation(seed);
    if (!outcome.ok) throw new Error(outcome.error.message);
    print(outcome.value);
  },
});

async function seed(foundation: Foundation): ReturnType<typeof seedDemo> {
  const { config, clock, telemetry, databaseUrl } = foundation;
  if (config.embedded) await migrate(databaseUrl);
  const pool = { workers: 1, queueMax: 1, deadlineMs: HASH_DEADLINE_MS, niceIncrement: 0 };
  const hashing = openHashPool({ ...pool, clock, telemetry });
  try {
    return await seedDemo({ ...foundation, hashing });
  } finally {
    await hashing.close();
  }
}

function print({ users, inserted }: SeedOutcome): void {
  for (const { email, organizationSlug, role, platformOwner } of users) {
    const platform = platformOwner ? ", platform owner" : "";
    console.log(`${email.padEnd(22)} ${role} of ${organizationSlug}${platform}`);
  }
  console.log(`Password of each: ${DEMO_PASSWORD}`);
  console.log(inserted === 0 ? "Nothing to do: all users exist." : `${inserted} users inserted.`);
}
