/**
 * Presets of social providers (docs/contract.md, section 15.6): the settings that a known provider demands. A preset is
 * a file of the folder `presets`; a further file is a further preset, without code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CUSTOM_PRESET,
  type GivenSocialConfig,
  type SOCIAL_PROTOCOLS,
  type SocialProviderConfig,
} from "../../vocabulary/social-provider-config.ts";

type Protocol = (typeof SOCIAL_PROTOCOLS)[number];

/** A file of the folder `presets`. */
interface PresetFile {
  readonly name: string;
  /** The documentation of the provider about the registration of an application. */
  readonly guide: string;
  /** What the registration at the provider needs. */
  readonly notes: string;
  readonly defaults: GivenSocialConfig & { readonly protocol: Protocol };
}

export interface SocialPreset extends PresetFile {
  readonly preset: string;
}

const FOLDER = join(import.meta.dirname, "presets");

/** The presets by name of the provider. */
export const SOCIAL_PRESETS: readonly SocialPreset[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({
    ...(JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as PresetFile),
    preset: file.replace(/\.json$/, ""),
  }))
  .sort((one, other) => one.name.localeCompare(other.name, "en"));

const BY_KEY: ReadonlyMap<string, SocialPreset> = new Map(SOCIAL_PRESETS.map((each) => [each.preset, each]));

export function findSocialPreset(preset: string): SocialPreset | undefined {
  return BY_KEY.get(preset);
}

export function isSocialPreset(preset: string): boolean {
  return preset === CUSTOM_PRESET || BY_KEY.has(preset);
}

const COMMON = {
  enabled: false,
  sign_up: true,
  issuer: null,
  authorization_endpoint: null,
  token_endpoint: null,
  userinfo_endpoint: null,
  jwks_uri: null,
  client_id: null,
  token_auth: "client_secret_basic",
  authorization_parameters: {},
  pkce: "S256",
  nonce: true,
  response_mode: "query",
  email_from: "/email",
  email_verified_from: "/email_verified",
  name_from: "/name",
  email_domains: [],
} as const satisfies GivenSocialConfig;

const BY_PROTOCOL = {
  oidc: { scopes: ["openid", "email", "profile"], claims_from: "id_token", subject_from: "/sub", email_trust: "claim" },
  oauth2: { scopes: [], claims_from: "userinfo", subject_from: "/id", email_trust: "never" },
} as const satisfies Record<Protocol, GivenSocialConfig>;

/** The settings of a new provider: the given members, else the members of the preset, else the defaults. */
export function completeSocialConfig(given: GivenSocialConfig, key: string): SocialProviderConfig {
  const preset = given.preset ?? CUSTOM_PRESET;
  const found = findSocialPreset(preset);
  const protocol = given.protocol ?? found?.defaults.protocol ?? "oidc";
  // The endpoints of a preset speak the protocol of the preset.
  const defaults = found?.defaults.protocol === protocol ? found.defaults : {};
  const name = found?.name ?? key;
  return { ...COMMON, name, ...BY_PROTOCOL[protocol], ...defaults, ...given, preset, protocol };
}
