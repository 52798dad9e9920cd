import { defineCommand } from "citty";
import { resealSecrets } from "../flows/integrations/reseal.ts";
import { resealSocialSecrets } from "../flows/social-providers/reseal.ts";
import { resealConnections } from "../flows/sso/connections/reseal.ts";
import { providerLabel } from "../models/provider-config/provider.ts";
import { withFoundation } from "./configured.ts";

const DESCRIPTIONS = {
  resealed: "resealed under the new key",
  current: "already sealed under this key",
  unreadable: "cannot be opened: the key that sealed it is not in SERVICE_CONFIG_KEYS_PREVIOUS",
} as const;

export const rotateConfigCommand = defineCommand({
  meta: { name: "rotate", description: "Reseal the secrets of providers and connections under SERVICE_CONFIG_KEY" },
  async run() {
    const resealed = await withFoundation(async (foundation) => {
      const key = foundation.configKeys.current;
      if (!key) throw new Error("SERVICE_CONFIG_KEY is not set");
      const providers = await resealSecrets(foundation, key);
      const social = await resealSocialSecrets(foundation, key);
      const connections = await resealConnections(foundation, key);
      return [
        ...providers.map(({ provider, outcome }) => ({ label: providerLabel(provider), outcome })),
        ...social.map(({ name, outcome }) => ({ label: `Social provider ${name}`, outcome })),
        ...connections.map(({ name, outcome }) => ({ label: `Connection ${name}`, outcome })),
      ];
    });
    for (const { label, outcome } of resealed) console.log(`${label}: ${DESCRIPTIONS[outcome]}`);
    if (resealed.length === 0) console.log("No secrets are stored.");
    if (resealed.some(({ outcome }) => outcome === "unreadable")) process.exitCode = 1;
  },
});
