/**
 * Clients outside of requests: a file of `clients apply`, and options of the command line (docs/contract.md, section
 * 19.6). The members are those of POST /v1/admin/oauth-clients; an unknown member is a flaw, because a misspelled
 * setting would otherwise silently have the default.
 */
import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { FieldFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClientChange } from "../../flows/oauth/clients/client-change.ts";
import type { ClientSet, DesiredClient } from "../../flows/oauth/clients/client-plan.ts";
import {
  CLIENT_PRESET_NAMES,
  CLIENT_PRESETS,
  type ClientPresetName,
} from "../../flows/oauth/clients/client-presets.ts";
import { findPreset } from "../../flows/oauth/presets/product-presets.ts";
import { OAUTH_CLIENTS_MAX } from "../../limits/oauth-limits.ts";
import { flawsOf } from "../input/validation-message.ts";
import { oneOf, Uuid } from "../schemas/common.ts";
import { ChangeOAuthClient, CreateOAuthClient, RegisterOAuthClient } from "../schemas/oauth-clients.ts";
import { changeOf, settingsOf } from "./oauth-client-settings.ts";
import { type PresetEnvironment, withPresetMembers } from "./preset-entry.ts";
import { DEFAULT_METHOD } from "./preset-registration.ts";

/** The set of a file that names no set. */
const DEFAULT_SET = "default";

const ownMembers = { client_id: Type.Optional(Uuid), disabled: Type.Optional(Type.Boolean()) };
const { token_endpoint_auth_method: method, ...settings } = CreateOAuthClient.properties;
/** An entry with the settings of a kind of application, or without a preset. */
const ClientEntry = Type.Object({
  ...settings,
  token_endpoint_auth_method: Type.Optional(method),
  preset: Type.Optional(oneOf(CLIENT_PRESET_NAMES)),
  ...ownMembers,
});
/** An entry with the preset of a product, which has the members that the entry omits. */
const ProductEntry = Type.Object({ ...RegisterOAuthClient.properties, preset: Type.String(), ...ownMembers });
/** The name of a set. */
export const SetName = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,63}$",
  rule: "1 to 64 characters of a-z, 0-9, dot, - and _",
});
const ClientFile = Type.Object({
  managed_by: Type.Optional(SetName),
  clients: Type.Array(Type.Unknown(), { maxItems: OAUTH_CLIENTS_MAX }),
});

const UNKNOWN_PRESET: FieldFlaw = {
  field: "preset",
  rule: "unknown_value",
  text: `must be one of ${CLIENT_PRESET_NAMES.join(", ")}, or a product of docs/guides/connect-a-product.md`,
};
const METHOD_REQUIRED: FieldFlaw = {
  field: "token_endpoint_auth_method",
  rule: "required",
  text: "is required without a preset",
};

type Read<T> = Result<T, readonly FieldFlaw[]>;

const EMBEDDED_NO: PresetEnvironment = { embedded: false };

/** Reads the value of a parsed file. Returns the flaws of all clients, each with its path, such as `clients.0.name`. */
export function readClientSet(value: unknown, environment = EMBEDDED_NO): Read<ClientSet> {
  const file = readMembers(TypeCompiler.Compile(ClientFile), value, "");
  if (!file.ok) return file;
  const read = file.value.clients.map((each, index) => readEntry(each, `clients.${index}.`, environment));
  const flaws = read.flatMap((each) => (each.ok ? [] : each.error));
  if (flaws.length > 0) return err(flaws);
  const clients = read.flatMap((each) => (each.ok ? [each.value] : []));
  return ok({ name: file.value.managed_by ?? DEFAULT_SET, clients });
}

/** Reads the members of a new client. */
export function readNewClient(members: unknown): Read<DesiredClient> {
  return readEntry(members, "", EMBEDDED_NO);
}

/** Reads the members of a change. */
export function readClientChange(members: unknown): Read<ClientChange> {
  const change = readMembers(TypeCompiler.Compile(ChangeOAuthClient), members, "");
  return change.ok ? ok(changeOf(change.value)) : change;
}

function readEntry(value: unknown, path: string, environment: PresetEnvironment): Read<DesiredClient> {
  if (namesProduct(value)) return readProductEntry(value, path, environment);
  const members = readMembers(TypeCompiler.Compile(ClientEntry), value, path);
  if (!members.ok) return members;
  const { preset, client_id: id, disabled, ...given } = members.value;
  const { token_endpoint_auth_method: chosen, ...rest } = { ...(preset ? membersOf(preset) : {}), ...given };
  if (chosen === undefined) return err([{ ...METHOD_REQUIRED, path: `${path}${METHOD_REQUIRED.field}` }]);
  return ok({
    id: id?.toLowerCase(),
    settings: settingsOf({ ...rest, token_endpoint_auth_method: chosen }),
    disabled,
  });
}

function namesProduct(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { preset } = value as { readonly preset?: unknown };
  return typeof preset === "string" && !CLIENT_PRESET_NAMES.some((name) => name === preset);
}

function readProductEntry(value: unknown, path: string, environment: PresetEnvironment): Read<DesiredClient> {
  const entry = readMembers(TypeCompiler.Compile(ProductEntry), value, path);
  if (!entry.ok) return entry;
  const { client_id: id, disabled, ...given } = entry.value;
  if (!findPreset(given.preset, "client")) return err(withPath([UNKNOWN_PRESET], path));
  const applied = withPresetMembers("client", given, environment);
  if (!applied.ok) return err(withPath(applied.error, path));
  const { members, ...kept } = applied.value;
  const body = readMembers(TypeCompiler.Compile(CreateOAuthClient), { ...DEFAULT_METHOD, ...members }, path);
  if (!body.ok) return body;
  return ok({ id: id?.toLowerCase(), settings: { ...settingsOf(body.value), ...kept }, disabled });
}

function membersOf(preset: ClientPresetName) {
  const { applicationType, tokenAuthMethod, grantTypes, requirePkce } = CLIENT_PRESETS[preset];
  return {
    application_type: applicationType,
    token_endpoint_auth_method: tokenAuthMethod,
    grant_types: [...grantTypes],
    require_pkce: requirePkce,
  };
}

/** Reads the members of an object; an unknown member is a flaw. */
export function readMembers<Members extends TProperties>(
  schema: TypeCheck<TObject<Members>>,
  value: unknown,
  path: string,
): Read<Static<TObject<Members>>> {
  const flaws = [...unknownMembers(schema, value), ...(schema.Check(value) ? [] : flawsOf(schema.Errors(value)))];
  if (flaws.length > 0) return err(withPath(flaws, path));
  return ok(value as Static<TObject<Members>>);
}

/** Flaws with the path of the entry. */
export function withPath(flaws: readonly FieldFlaw[], path: string): readonly FieldFlaw[] {
  return flaws.map((flaw) => ({ ...flaw, path: `${path}${flaw.path ?? flaw.field}` }));
}

function unknownMembers<Members extends TProperties>(
  schema: TypeCheck<TObject<Members>>,
  value: unknown,
): readonly FieldFlaw[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { properties } = schema.Schema();
  return Object.keys(value)
    .filter((member) => !Object.hasOwn(properties, member))
    .map((field) => ({ field, rule: "not_allowed", text: "unknown member" }));
}
