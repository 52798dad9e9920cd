/**
 * Presets of trusts (docs/contract.md, section 35.11): the settings for the issuers of known products. A preset is a
 * file of the folder `presets`; the texts of the console have a label for each input.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  TRUST_CONDITIONS_MAX,
  TRUST_KEYS_MAX,
  TRUST_PRESET_TEXT_MAX_CHARACTERS,
  TRUST_VALUES_MAX,
} from "../../limits/federation-limits.ts";
import type { IssuerKey } from "../../models/service-account/trust.ts";
import type { ClaimValue, TrustCondition } from "../../vocabulary/federation.ts";
import { isJsonObject } from "../../vocabulary/json-object.ts";
import { filledText, type PresetValues } from "../oauth/presets/product-presets.ts";
import { publicMembers } from "./trust-rules.ts";
import type { TrustInput } from "./trusts.ts";

/** In the order of the console. */
export const TRUST_PRESET_NAMES = ["github", "gitlab", "kubernetes", "aws", "gcp", "azure", "spiffe", "other"] as const;
export type TrustPresetName = (typeof TRUST_PRESET_NAMES)[number];

/** An input of a preset. The names `keys` and `conditions` have a form of their own. */
export interface TrustPresetInput {
  readonly name: string;
  readonly required: boolean;
  /** The whole text matches the regular expression. */
  readonly pattern?: string;
  readonly example?: string;
  /** The text before the first submission; also the value of an empty input. `{{name}}` is the value of an input. */
  readonly value?: string;
  readonly several_lines?: boolean;
}

/** A file of the folder `presets`. `{{name}}` is the value of an input; a condition without its input is left out. */
export interface TrustPreset {
  readonly name: string;
  /** The documentation of the product about its tokens. */
  readonly guide: string;
  readonly inputs: readonly TrustPresetInput[];
  readonly issuer: string;
  readonly audience?: string;
  readonly conditions: readonly { readonly claim: string; readonly equals: string }[];
  readonly token_seconds: number;
  readonly max_age_seconds: number;
  readonly single_use: boolean;
  readonly setup: readonly string[];
}

function readPreset(name: TrustPresetName): TrustPreset {
  return JSON.parse(readFileSync(join(import.meta.dirname, "presets", `${name}.json`), "utf8"));
}

export const TRUST_PRESETS: ReadonlyMap<TrustPresetName, TrustPreset> = new Map(
  TRUST_PRESET_NAMES.map((name) => [name, readPreset(name)]),
);

export function isTrustPreset(name: string): name is TrustPresetName {
  return (TRUST_PRESET_NAMES as readonly string[]).includes(name);
}

export function trustPreset(name: TrustPresetName): TrustPreset {
  const preset = TRUST_PRESETS.get(name);
  if (!preset) throw new Error(`the preset ${name} has no file`);
  return preset;
}

const REQUIRED: InputFlaw = { rule: "required", text: "is required by the preset" };
const BAD_TEXT: InputFlaw = { rule: "format", text: "does not have the form of the preset" };
const TOO_LONG: InputFlaw = { rule: "too_long", text: `at most ${TRUST_PRESET_TEXT_MAX_CHARACTERS} characters` };
const BAD_KEYS: InputFlaw = { rule: "format", text: "an https URL, or a JSON Web Key Set with 1 to 8 public keys" };
const BAD_CONDITIONS: InputFlaw = { rule: "format", text: "a JSON list of conditions" };

export type PresetTrust = Pick<TrustInput, "keys" | "jwksUri" | "audiences" | "tokenSeconds"> &
  Required<Pick<TrustInput, "issuer" | "conditions" | "maxAgeSeconds" | "singleUse">>;

/** The settings of a trust by a preset. `invalid_input` names the wrong inputs. */
export function trustOfPreset(preset: TrustPreset, given: PresetValues): Result<PresetTrust, Refusal<"invalid_input">> {
  const texts = preset.inputs.map((input) => [input, given[input.name]?.trim() || input.value || ""] as const);
  const keys = readKeys(given.keys?.trim() ?? "");
  const written = readConditions(given.conditions?.trim() ?? "");
  const flaws: FieldFlaw[] = texts.flatMap(([input, text]) => {
    const flaw = flawOf(input, text) ?? { keys, conditions: written }[input.name]?.flaw;
    return flaw ? [{ field: input.name, ...flaw }] : [];
  });
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const plain = Object.fromEntries(texts.map(([{ name }, text]) => [name, text]));
  const values = Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, filledText(text, plain)]));
  const audience = preset.audience === undefined ? "" : filledText(preset.audience, values);
  return ok({
    issuer: filledText(preset.issuer, values),
    ...keys.value,
    ...(audience === "" ? {} : { audiences: [audience] }),
    conditions: [...conditionsOf(preset, values), ...(written.value ?? [])],
    tokenSeconds: preset.token_seconds,
    maxAgeSeconds: preset.max_age_seconds,
    singleUse: preset.single_use,
  });
}

function flawOf({ required, pattern }: TrustPresetInput, text: string): InputFlaw | undefined {
  if (text === "") return required ? REQUIRED : undefined;
  if (text.length > TRUST_PRESET_TEXT_MAX_CHARACTERS) return TOO_LONG;
  return pattern === undefined || new RegExp(`^(?:${pattern})$`).test(text) ? undefined : BAD_TEXT;
}

function conditionsOf({ conditions }: TrustPreset, values: PresetValues): readonly TrustCondition[] {
  const isGiven = (text: string) => [...text.matchAll(/\{\{([a-z_]+)\}\}/g)].every(([, name = ""]) => values[name]);
  return conditions
    .filter(({ equals }) => isGiven(equals))
    .map(({ claim, equals }) => ({ claim, equals: filledText(equals, values) }));
}

interface Read<Value> {
  readonly value?: Value;
  readonly flaw?: InputFlaw;
}

/** An https URL of a key set, or the key set itself; an empty text: OpenID discovery. */
function readKeys(text: string): Read<Pick<TrustInput, "keys" | "jwksUri">> {
  if (text === "") return { value: {} };
  if (/^https?:/.test(text)) return { value: { jwksUri: text } };
  const parsed = parseJson(text) as { readonly keys?: unknown } | undefined;
  const listed: unknown = Array.isArray(parsed) ? parsed : parsed?.keys;
  // The bundle of a trust domain has certificates too, as keys with the use `x509-svid` and without an id.
  const keys: unknown = Array.isArray(listed) ? listed.filter((key) => !isCertificate(key)) : undefined;
  const isSet = Array.isArray(keys) && keys.length > 0 && keys.length <= TRUST_KEYS_MAX && keys.every(isKey);
  return isSet ? { value: { keys: keys.map(publicMembers) } } : { flaw: BAD_KEYS };
}

function isCertificate(value: unknown): boolean {
  return isJsonObject(value) && value.use === "x509-svid";
}

function isKey(value: unknown): value is IssuerKey {
  const { kty, kid } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof kty === "string" && typeof kid === "string";
}

function readConditions(text: string): Read<readonly TrustCondition[]> {
  if (text === "") return { value: [] };
  const parsed = parseJson(text);
  const isList = Array.isArray(parsed) && parsed.length > 0 && parsed.length <= TRUST_CONDITIONS_MAX;
  return isList && parsed.every(isCondition) ? { value: parsed } : { flaw: BAD_CONDITIONS };
}

/** The types of the members; `trustFlaws` validates the values. */
function isCondition(value: unknown): value is TrustCondition {
  if (!isJsonObject(value)) return false;
  const { claim, ...operand } = value;
  const [[name, operands] = ["", undefined], ...more] = Object.entries(operand);
  if (typeof claim !== "string" || more.length > 0) return false;
  if (name === "equals") return isClaimValue(operands);
  if (name === "starts_with") return typeof operands === "string";
  const isBounded = Array.isArray(operands) && operands.length > 0 && operands.length <= TRUST_VALUES_MAX;
  return name === "one_of" && isBounded && operands.every(isClaimValue);
}

function isClaimValue(value: unknown): value is ClaimValue {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface TrustSetupValues {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly audience: string;
}

/** The commands of a workload that exchange a token of the issuer. */
export function trustSetupOf({ setup }: TrustPreset, { tokenUrl, clientId, audience }: TrustSetupValues): string {
  const values = { token_url: tokenUrl, client_id: clientId, audience };
  return setup.map((line) => filledText(line, values)).join("\n");
}

/** The preset of a stored trust, by its issuer; `other` for the issuer of no preset. */
export function presetOfIssuer(issuer: string): TrustPresetName {
  if (issuer.startsWith("spiffe://")) return "spiffe";
  const own = TRUST_PRESET_NAMES.find((name) => {
    const [value] = trustPreset(name).inputs.flatMap((input) => (input.name === "issuer" ? (input.value ?? []) : []));
    const [fixed = ""] = value?.split("{{") ?? [];
    const base = fixed.replace(/\/$/, "");
    return base !== "" && (issuer === base || issuer.startsWith(`${base}/`));
  });
  return own ?? "other";
}
