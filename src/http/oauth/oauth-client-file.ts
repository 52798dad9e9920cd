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
import { OAUTH_CLIENTS_MAX } from "../../limits/oauth-limits.ts";
import { flawsOf } from "../input/validation-message.ts";
import { oneOf, Uuid } from "../schemas/common.ts";
import { ChangeOAuthClient, CreateOAuthClient } from "../schemas/oauth-clients.ts";
import { changeOf, settingsOf } from "./oauth-client-settings.ts";

/** The set of a file that names no set. */
const DEFAULT_SET = "default";

const { token_endpoint_auth_method: method, ...settings } = CreateOAuthClient.properties;
const ClientEntry = Type.Object({
  ...settings,
  token_endpoint_auth_method: Type.Optional(method),
  preset: Type.Optional(oneOf(CLIENT_PRESET_NAMES)),
  client_id: Type.Optional(Uuid),
  disabled: Type.Optional(Type.Boolean()),
});
/** The name of a set. */
export const SetName = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,63}$",
  rule: "1 to 64 characters of a-z, 0-9, dot, - and _",
});
const ClientFile = Type.Object({
  managed_by: Type.Optional(SetName),
  clients: Type.Array(Type.Unknown(), { maxItems: OAUTH_CLIENTS_MAX }),
});

const METHOD_REQUIRED: FieldFlaw = {
  field: "token_endpoint_auth_method",
  rule: "required",
  text: "is required without a preset",
};

type Read<T> = Result<T, readonly FieldFlaw[]>;

/** Reads the value of a parsed file. Returns the flaws of all clients, each with its path, such as `clients.0.name`. */
export function readClientSet(value: unknown): Read<ClientSet> {
  const file = readMembers(TypeCompiler.Compile(ClientFile), value, "");
  if (!file.ok) return file;
  const entry = TypeCompiler.Compile(ClientEntry);
  const read = file.value.clients.map((each, index) => readEntry(entry, each, `clients.${index}.`));
  const flaws = read.flatMap((each) => (each.ok ? [] : each.error));
  if (flaws.length > 0) return err(flaws);
  const clients = read.flatMap((each) => (each.ok ? [each.value] : []));
  return ok({ name: file.value.managed_by ?? DEFAULT_SET, clients });
}

/** Reads the members of a new client. */
export function readNewClient(members: unknown): Read<DesiredClient> {
  return readEntry(TypeCompiler.Compile(ClientEntry), members, "");
}

/** Reads the members of a change. */
export function readClientChange(members: unknown): Read<ClientChange> {
  const change = readMembers(TypeCompiler.Compile(ChangeOAuthClient), members, "");
  return change.ok ? ok(changeOf(change.value)) : change;
}

function readEntry(schema: TypeCheck<typeof ClientEntry>, value: unknown, path: string): Read<DesiredClient> {
  const members = readMembers(schema, value, path);
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
  if (flaws.length > 0) return err(flaws.map((flaw) => ({ ...flaw, path: `${path}${flaw.path ?? flaw.field}` })));
  return ok(value as Static<TObject<Members>>);
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
