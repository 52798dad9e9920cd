/** A file of `resources apply` (docs/contract.md, section 19.6): the members of POST /v1/admin/resources. */
import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FieldFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { DesiredResource, ResourceSet } from "../../flows/oauth/resources/apply-resources.ts";
import { OAUTH_RESOURCES_REGISTERED_MAX } from "../../limits/oauth-limits.ts";
import { CreateOAuthResource, RegisterOAuthResource } from "../schemas/oauth-resources.ts";
import { readMembers, SetName, withPath } from "./oauth-client-file.ts";
import { resourceSettingsOf } from "./oauth-resource-settings.ts";
import { type PresetEnvironment, withPresetMembers } from "./preset-entry.ts";

const ResourceFile = Type.Object({
  managed_by: Type.Optional(SetName),
  resources: Type.Array(Type.Unknown(), { maxItems: OAUTH_RESOURCES_REGISTERED_MAX }),
});

/** An entry with the preset of a product, which has the members that the entry omits. */
const ProductEntry = Type.Object({ ...RegisterOAuthResource.properties, preset: Type.String() });
const EMBEDDED_NO: PresetEnvironment = { embedded: false };

/** Reads the value of a parsed file. Returns the flaws of all APIs, each with its path, such as `resources.0.name`. */
export function readResourceSet(value: unknown, environment = EMBEDDED_NO): Result<ResourceSet, readonly FieldFlaw[]> {
  const file = readMembers(TypeCompiler.Compile(ResourceFile), value, "");
  if (!file.ok) return file;
  const read = file.value.resources.map((each, index) => readEntry(each, `resources.${index}.`, environment));
  const flaws = read.flatMap((each) => (each.ok ? [] : each.error));
  if (flaws.length > 0) return err(flaws);
  const resources = read.flatMap((each) => (each.ok ? [each.value] : []));
  return ok({ name: file.value.managed_by, resources });
}

function readEntry(
  value: unknown,
  path: string,
  environment: PresetEnvironment,
): Result<DesiredResource, readonly FieldFlaw[]> {
  if (typeof value === "object" && value !== null && "preset" in value) return readProduct(value, path, environment);
  const body = readMembers(TypeCompiler.Compile(CreateOAuthResource), value, path);
  return body.ok ? ok({ settings: resourceSettingsOf(body.value), setsDisabled: setsDisabled(body.value) }) : body;
}

function readProduct(
  value: object,
  path: string,
  environment: PresetEnvironment,
): Result<DesiredResource, readonly FieldFlaw[]> {
  const entry = readMembers(TypeCompiler.Compile(ProductEntry), value, path);
  if (!entry.ok) return entry;
  const applied = withPresetMembers("api", entry.value, environment);
  if (!applied.ok) return err(withPath(applied.error, path));
  const { members, ...kept } = applied.value;
  const body = readMembers(TypeCompiler.Compile(CreateOAuthResource), members, path);
  if (!body.ok) return body;
  return ok({ settings: { ...resourceSettingsOf(body.value), ...kept }, setsDisabled: setsDisabled(body.value) });
}

function setsDisabled({ disabled }: { readonly disabled?: boolean }): boolean {
  return disabled !== undefined;
}
