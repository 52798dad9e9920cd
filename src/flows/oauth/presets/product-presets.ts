/**
 * Product presets (docs/contract.md, section 23.35): starting points for applications and APIs of known products. A
 * preset is a file of the folder `products`; a further file is a further preset, without code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const PRESET_KINDS = ["client", "api"] as const;
export type PresetKind = (typeof PRESET_KINDS)[number];
export const INPUT_TYPES = ["url", "text", "organization"] as const;
export const SETUP_FORMATS = ["env", "ini", "yaml", "json", "steps"] as const;

export interface PresetInput {
  readonly name: string;
  readonly type: (typeof INPUT_TYPES)[number];
  readonly required: boolean;
}

/** A file of the folder `products`. */
interface PresetFile {
  readonly name: string;
  readonly kind: PresetKind;
  /** The documentation of the product about sign-in. */
  readonly guide: string;
  readonly inputs: readonly PresetInput[];
  /** True: a claim mapping reads a source that organizations control. */
  readonly organization_required: boolean;
  /** Members of the body of POST. `{{name}}` in a text is the value of an input. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly setup: { readonly format: (typeof SETUP_FORMATS)[number]; readonly text: readonly string[] };
}

export interface ProductPreset extends Omit<PresetFile, "organization_required"> {
  readonly preset: string;
  /** Whether codes of the product are bound to no browser (docs/contract.md, section 23.3). */
  readonly unboundCodes: boolean;
}

/** An input of every preset: the organization whose members sign in, or receive tokens. */
export const ORGANIZATION_INPUT = "organization_id";

const PRODUCTS = join(import.meta.dirname, "products");

function readPreset(file: string): ProductPreset {
  const { organization_required: required, ...read }: PresetFile = JSON.parse(
    readFileSync(join(PRODUCTS, file), "utf8"),
  );
  return {
    ...read,
    preset: file.replace(/\.json$/, ""),
    inputs: [...read.inputs, { name: ORGANIZATION_INPUT, type: "organization", required }],
    unboundCodes: read.members.require_nonce_or_pkce === false,
  };
}

/** The presets by name of the product; the preset of no product comes last. */
export const PRODUCT_PRESETS: readonly ProductPreset[] = readdirSync(PRODUCTS)
  .filter((file) => file.endsWith(".json"))
  .map(readPreset)
  .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name, "en"));

function rank({ preset }: ProductPreset): number {
  return preset === "generic" ? 1 : 0;
}

const BY_NAME: ReadonlyMap<string, ProductPreset> = new Map(PRODUCT_PRESETS.map((each) => [each.preset, each]));

export function findPreset(name: string, kind: PresetKind): ProductPreset | undefined {
  const found = BY_NAME.get(name);
  return found?.kind === kind ? found : undefined;
}

/** The values of `{{name}}` in the texts of a preset. */
export type PresetValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{([a-z_]+)\}\}/g;

/** A text without a value for a placeholder keeps the placeholder: a test of the presets finds such a text. */
export function filledText(text: string, values: PresetValues): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => values[name] ?? placeholder);
}

/** The members of the body of POST with the inputs. `with_input`, `without_input`: an item depends on an input. */
export function filledMembers({ members }: ProductPreset, inputs: PresetValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, filledValue(value, inputs)]));
}

function filledValue(value: unknown, inputs: PresetValues): unknown {
  if (typeof value === "string") return filledText(value, inputs);
  if (Array.isArray(value))
    return value.filter((item) => isWanted(item, inputs)).map((item) => filledValue(item, inputs));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "with_input" && name !== "without_input");
  return Object.fromEntries(members.map(([name, member]) => [name, filledValue(member, inputs)]));
}

function isWanted(item: unknown, inputs: PresetValues): boolean {
  if (typeof item !== "object" || item === null) return true;
  const [needed, excluded] = ["with_input", "without_input"].map((name) =>
    Object.entries(item).find(([n]) => n === name),
  );
  const isGiven = (entry: [string, unknown] | undefined) =>
    entry !== undefined && Object.hasOwn(inputs, String(entry[1]));
  return (needed === undefined || isGiven(needed)) && !isGiven(excluded);
}

export interface ProductSetup {
  readonly format: (typeof SETUP_FORMATS)[number];
  readonly text: string;
}

/** The configuration of the product. A secret is a placeholder: no later response could contain the secret. */
export function setupOf({ setup }: ProductPreset, values: PresetValues): ProductSetup {
  return { format: setup.format, text: setup.text.map((line) => filledText(line, values)).join("\n") };
}
