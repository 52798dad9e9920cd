import { defineCommand } from "citty";
import { resealSecrets } from "../flows/integrations/reseal.ts";
import { withFoundation } from "./configured.ts";

const WORDS = {
  resealed: "resealed under the new key",
  current: "sealed under this key already",
  unreadable: "does not open: the key that sealed it is not in SERVICE_CONFIG_KEYS_PREVIOUS",
} as const;

export const rotateConfigCommand = defineCommand({
  meta: { name: "rotate", description: "Reseal the secrets of providers under SERVICE_CONFIG_KEY" },
  async run() {
    const resealed = await withFoundation(async (foundation) => {
      const key = foundation.configKeys.current;
      if (!key) throw new Error("SERVICE_CONFIG_KEY is not set");
      return await resealSecrets(foundation, key);
    });
    for (const { provider, outcome } of resealed) console.log(`${provider}: ${WORDS[outcome]}`);
    if (resealed.length === 0) console.log("No secrets are stored.");
    if (resealed.some(({ outcome }) => outcome === "unreadable")) process.exitCode = 1;
  },
});
