/** An entry of `clients apply` or `resources apply` with a product (docs/contract.md, sections 19.6 and 23.35). */
import type { FieldFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { applyPreset } from "../../flows/oauth/presets/preset-inputs.ts";
import type { PresetKind } from "../../flows/oauth/presets/product-presets.ts";

/** `embedded`: products may have loopback addresses. */
export interface PresetEnvironment {
  readonly embedded: boolean;
}

interface PresetEntry {
  readonly preset: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** The members of an entry, above the members of its preset, and the preset that the registration keeps. */
export interface PresetMembers {
  readonly members: Readonly<Record<string, unknown>>;
  readonly preset: string;
  readonly presetInputs: Readonly<Record<string, string>>;
}

/** Members of the entry take precedence over the members of the preset. Flaws have no path of the entry. */
export function withPresetMembers(
  kind: PresetKind,
  { preset, inputs = {}, ...given }: PresetEntry,
  environment: PresetEnvironment,
): Result<PresetMembers, readonly FieldFlaw[]> {
  const applied = applyPreset(kind, { preset, inputs }, environment);
  if (!applied.ok) return err(applied.error.flaws);
  const { members, ...kept } = applied.value;
  return ok({ members: { ...members, ...given }, preset: kept.preset, presetInputs: kept.inputs });
}
