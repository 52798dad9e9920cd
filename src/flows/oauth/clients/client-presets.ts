/**
 * Starting points for a new client, by kind of application: the console and `clients create` offer the presets, and a
 * client file names a preset in place of the members.
 */
import type { NewClient } from "../../../models/oauth-client/oauth-client.ts";

export const CLIENT_PRESET_NAMES = ["web", "spa", "native", "machine"] as const;
export type ClientPresetName = (typeof CLIENT_PRESET_NAMES)[number];

/** The settings that a preset determines; every further setting has the default of a new client. */
export type ClientPreset = Pick<NewClient, "applicationType" | "tokenAuthMethod" | "grantTypes" | "requirePkce">;

const USER_GRANTS = ["authorization_code", "refresh_token"] as const;

export const CLIENT_PRESETS: Readonly<Record<ClientPresetName, ClientPreset>> = {
  web: {
    applicationType: "web",
    tokenAuthMethod: "client_secret_basic",
    grantTypes: USER_GRANTS,
    requirePkce: true,
  },
  spa: { applicationType: "web", tokenAuthMethod: "none", grantTypes: USER_GRANTS, requirePkce: true },
  native: { applicationType: "native", tokenAuthMethod: "none", grantTypes: USER_GRANTS, requirePkce: true },
  machine: {
    applicationType: "web",
    tokenAuthMethod: "client_secret_basic",
    grantTypes: ["client_credentials"],
    requirePkce: true,
  },
};

export function isClientPresetName(text: string): text is ClientPresetName {
  return Object.hasOwn(CLIENT_PRESETS, text);
}
