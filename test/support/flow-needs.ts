import { keyRing } from "../../src/actors/key-ring.ts";
import { revocations } from "../../src/actors/revocations.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { Deps } from "../../src/deps.ts";
import { openFoundation } from "../../src/foundation.ts";
import { localState } from "../../src/state/local.ts";
import { ISSUER, TEST_SECRET } from "./replica.ts";
import { stopLater } from "./services.ts";

/** What flows about sessions need, in this process, on the database of a replica: for a test that puts a part of its own in. */
export async function flowNeeds(databaseUrl: string) {
  const config = loadConfig({
    NODE_ENV: "test",
    DATABASE_URL: databaseUrl,
    SERVICE_JWT_SECRET: TEST_SECRET,
    SERVICE_PUBLIC_BASE_URL: ISSUER,
  });
  if (!config.ok) throw new Error(config.error.join("\n"));
  const foundation = await openFoundation(config.value, { logLevel: "silent", attach: false });
  const state = localState(foundation.clock);
  const ring = keyRing({ ...foundation, tokenMaxAgeMs: config.value.tokens.refreshMaxAgeSeconds * 1000 });
  const revoked = revocations({ ...foundation, state });
  await ring.start();
  await revoked.start();
  stopLater(async () => {
    await Promise.all([ring.stop(), revoked.stop()]);
    await foundation.close();
  });
  const verifiedTokens = new Map() as unknown as Deps["verifiedTokens"];
  return { ...foundation, state, keyRing: ring, revocations: revoked, verifiedTokens };
}
