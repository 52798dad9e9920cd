/** A registration by a product preset (docs/contract.md, section 23.35): the body of POST, and the settings. */
import type { Static } from "@sinclair/typebox";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { ClientSettings } from "../../flows/oauth/clients/client-change.ts";
import { type AppliedPreset, applyPreset, NO_PRESET_INPUTS } from "../../flows/oauth/presets/preset-inputs.ts";
import type { PresetKind } from "../../flows/oauth/presets/product-presets.ts";
import type { ResourceSettings } from "../../flows/oauth/resources/administer-resources.ts";
import { bodyValidator } from "../input/read-input.ts";
import { CreateOAuthClient, type RegisterOAuthClient } from "../schemas/oauth-clients.ts";
import { CreateOAuthResource, type RegisterOAuthResource } from "../schemas/oauth-resources.ts";
import { settingsOf } from "./oauth-client-settings.ts";
import { resourceSettingsOf } from "./oauth-resource-settings.ts";

type ConfigDeps = Pick<Deps, "config">;
/** The method of an application whose preset names none. */
export const DEFAULT_METHOD = { token_endpoint_auth_method: "client_secret_basic" };

const validateClient = bodyValidator(CreateOAuthClient);
const validateResource = bodyValidator(CreateOAuthResource);

/** The settings of a new application. */
export function clientRegistration(
  deps: ConfigDeps,
  { preset, inputs, ...given }: Static<typeof RegisterOAuthClient>,
): Result<ClientSettings, Refusal<"invalid_input">> {
  const applied = appliedPreset(deps, "client", preset, inputs);
  if (!applied.ok) return applied;
  const members = applied.value ? { ...DEFAULT_METHOD, ...applied.value.members, ...withoutUndefined(given) } : given;
  const body = validateClient(members);
  return body.ok ? ok({ ...settingsOf(body.value), ...storedPreset(applied.value) }) : body;
}

/** The settings of a new API. */
export function resourceRegistration(
  deps: ConfigDeps,
  { preset, inputs, ...given }: Static<typeof RegisterOAuthResource>,
): Result<ResourceSettings, Refusal<"invalid_input">> {
  const applied = appliedPreset(deps, "api", preset, inputs);
  if (!applied.ok) return applied;
  const body = validateResource({ ...applied.value?.members, ...withoutUndefined(given) });
  return body.ok ? ok({ ...resourceSettingsOf(body.value), ...storedPreset(applied.value) }) : body;
}

function appliedPreset(
  { config }: ConfigDeps,
  kind: PresetKind,
  preset: string | undefined,
  inputs: Readonly<Record<string, string>> | undefined,
): Result<AppliedPreset | undefined, Refusal<"invalid_input">> {
  if (preset === undefined) return inputs === undefined ? ok(undefined) : err(NO_PRESET_INPUTS);
  return applyPreset(kind, { preset, inputs: inputs ?? {} }, config);
}

function storedPreset(applied: AppliedPreset | undefined): Pick<ClientSettings, "preset" | "presetInputs"> {
  return { preset: applied?.preset ?? null, presetInputs: applied?.inputs ?? null };
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
