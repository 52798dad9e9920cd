import { defineCommand } from "citty";
import { resealSecrets } from "../flows/integrations/reseal.ts";
import { providerLabel } from "../models/provider-config/provider.ts";
import { withFoundation } from "./configured.ts";

const DESCRIPTIONS = {
  resealed: "resealed under the new key",
  current: "already sealed under this key",
  unreadable: "cannot be opened: the key that sealed it is not in SERVICE_CONFIG_KEYS_PREVIOUS",
} as const;

export const rotateConfigCommand = defineCommand({
  meta: { name: "rotate", description: "Reseal the secrets of providers under SERVICE_CONFIG_KEY" },
  async run() {
    const resealed = await withFoundation(async (foundation) => {
      const key = foundation.configKeys.current;
      if (!key) throw new Error("SERVICE_CONFIG_KEY is not set");
      return await resealSecrets(foundation, key);
    });
    for (const { provider, outcome } of resealed) console.log(`${providerLabel(provider)}: ${DESCRIPTIONS[outcome]}`);
    if (resealed.length === 0) console.log("No secrets are stored.");
    if (resealed.some(({ outcome }) => outcome === "unreadable")) process.exitCode = 1;
  },
});
