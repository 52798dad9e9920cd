/** The inputs of a product preset (docs/contract.md, section 23.35). */
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields, invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { readStoredUrl } from "../../../base/stored-url.ts";
import { isLoopbackUri } from "../../../models/oauth-client/redirect-uri.ts";
import {
  filledMembers,
  findPreset,
  ORGANIZATION_INPUT,
  type PresetInput,
  type PresetKind,
  type PresetValues,
  type ProductPreset,
} from "./product-presets.ts";

/** A text stands in addresses and in configuration files, so the text has no character with a meaning there. */
const TEXT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const BAD_TEXT: InputFlaw = { rule: "format", text: "1 to 64 letters, digits, dots, hyphens and underscores" };
const BAD_URL: InputFlaw = { rule: "format", text: "an https address without credentials, query and fragment" };
const BAD_ID: InputFlaw = { rule: "format", text: "the id of an organization" };
const REQUIRED: InputFlaw = { rule: "required", text: "is required by the preset" };
const UNKNOWN_PRESET: FieldFlaw = { field: "preset", rule: "unknown_value", text: "no preset of this kind" };
const UNKNOWN: InputFlaw = { rule: "not_allowed", text: "no input of the preset" };

export const NO_PRESET_INPUTS = invalidInput("inputs", "not_allowed", "inputs need a preset");

export interface ChosenPreset {
  readonly preset: string;
  readonly inputs: PresetValues;
}

export interface AppliedPreset extends ChosenPreset {
  /** Members of the body of POST, which the members of the request replace. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** The flaws of the preset or of its inputs, as a refusal. `wrongInputs`: the names of the inputs, for a form. */
export type PresetProblem = Refusal<"invalid_input"> & {
  readonly flaws: readonly FieldFlaw[];
  readonly wrongInputs: readonly string[];
};

/**
 * The members of a preset with the inputs. `invalid_input` names the field `preset`, or `inputs` with the path of the
 * input. `embedded`: the service runs on the machine of a developer, where products have loopback addresses.
 */
export function applyPreset(
  kind: PresetKind,
  chosen: ChosenPreset,
  { embedded }: { readonly embedded: boolean },
): Result<AppliedPreset, PresetProblem> {
  const preset = findPreset(chosen.preset, kind);
  if (!preset) return err(problemOf([UNKNOWN_PRESET]));
  const inputs = readInputs(preset, chosen.inputs, embedded);
  if (!inputs.ok) return inputs;
  const { [ORGANIZATION_INPUT]: organizationId } = inputs.value;
  const organizations = organizationId === undefined ? {} : { organizations: [organizationId] };
  const members = { name: preset.name, ...filledMembers(preset, inputs.value), ...organizations };
  return ok({ preset: preset.preset, inputs: inputs.value, members });
}

/** Empty inputs count as absent: a form sends every field. */
function readInputs(
  { inputs }: ProductPreset,
  given: PresetValues,
  embedded: boolean,
): Result<PresetValues, PresetProblem> {
  const values = new Map(Object.entries(given).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));
  const unknown = [...values.keys()].filter((name) => !inputs.some((input) => input.name === name));
  const read = inputs.map((input) => [input, readInput(input, values.get(input.name), embedded)] as const);
  const flaws = [
    ...unknown.map((name) => flawAt(name, UNKNOWN)),
    ...read.flatMap(([{ name }, result]) => (result.ok ? [] : [flawAt(name, result.error)])),
  ];
  if (hasFlaws(flaws)) return err(problemOf(flaws));
  const entries = read.flatMap(([{ name }, result]) =>
    result.ok && result.value !== undefined ? [[name, result.value] as const] : [],
  );
  return ok(Object.fromEntries(entries));
}

const PATH = "inputs.";

function problemOf(flaws: readonly [FieldFlaw, ...FieldFlaw[]]): PresetProblem {
  const wrongInputs = flaws.flatMap(({ path }) => (path?.startsWith(PATH) ? [path.slice(PATH.length)] : []));
  return { ...invalidFields(flaws), flaws, wrongInputs };
}

function flawAt(name: string, flaw: InputFlaw): FieldFlaw {
  return { field: "inputs", path: `${PATH}${name}`, ...flaw };
}

function readInput(
  { type, required }: PresetInput,
  text: string | undefined,
  embedded: boolean,
): Result<string | undefined, InputFlaw> {
  if (text === undefined) return required ? err(REQUIRED) : ok(undefined);
  switch (type) {
    case "organization":
      return isUuid(text) ? ok(text.toLowerCase()) : err(BAD_ID);
    case "text":
      return TEXT.test(text) ? ok(text) : err(BAD_TEXT);
    case "url":
      return readBaseAddress(text, embedded);
  }
}

/** An origin or an address with a path, without the slash at the end. */
function readBaseAddress(text: string, embedded: boolean): Result<string, InputFlaw> {
  const read = readStoredUrl(text);
  if (!read.ok || /[?#"'`$<>\\\s{}]/.test(read.value)) return err(BAD_URL);
  const isPermitted = read.value.startsWith("https:") || (embedded && isLoopbackUri(read.value));
  return isPermitted ? ok(read.value.replace(/\/+$/, "")) : err(BAD_URL);
}
