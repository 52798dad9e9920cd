/** A file of `resources apply` (docs/contract.md, section 19.6): the members of POST /v1/admin/resources. */
import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FieldFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ResourceSet } from "../../flows/oauth/resources/apply-resources.ts";
import { OAUTH_RESOURCES_REGISTERED_MAX } from "../../limits/oauth-limits.ts";
import { CreateOAuthResource } from "../schemas/oauth-resources.ts";
import { readMembers, SetName } from "./oauth-client-file.ts";
import { resourceSettingsOf } from "./oauth-resource-settings.ts";

const ResourceFile = Type.Object({
  managed_by: Type.Optional(SetName),
  resources: Type.Array(Type.Unknown(), { maxItems: OAUTH_RESOURCES_REGISTERED_MAX }),
});

/** Reads the value of a parsed file. Returns the flaws of all APIs, each with its path, such as `resources.0.name`. */
export function readResourceSet(value: unknown): Result<ResourceSet, readonly FieldFlaw[]> {
  const file = readMembers(TypeCompiler.Compile(ResourceFile), value, "");
  if (!file.ok) return file;
  const entry = TypeCompiler.Compile(CreateOAuthResource);
  const read = file.value.resources.map((each, index) => readMembers(entry, each, `resources.${index}.`));
  const flaws = read.flatMap((each) => (each.ok ? [] : each.error));
  if (flaws.length > 0) return err(flaws);
  const bodies = read.flatMap((each) => (each.ok ? [each.value] : []));
  const resources = bodies.map((body) => ({
    settings: resourceSettingsOf(body),
    setsDisabled: body.disabled !== undefined,
  }));
  return ok({ name: file.value.managed_by, resources });
}
