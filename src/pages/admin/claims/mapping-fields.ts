/** The form of one claim mapping: its fields, the mapping of the fields, and the problem beside each field. */
import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { CLAIM_MAPPINGS_MAX } from "../../../limits/claim-limits.ts";
import { CLAIM_DESTINATIONS, type ClaimDestination } from "../../../vocabulary/claim-mapping.ts";
import type { InputRule } from "../../../vocabulary/input-rules.ts";
import type { FormState } from "../../components/form.tsx";
import type { Fields } from "../../page.ts";
import { changedForm, messageOf } from "../../problem-messages.ts";
import { versionOf } from "../../shared/displayed-version.ts";
import type { View } from "../../view.tsx";
import type { ClaimsTarget, StoredMapping } from "./owner.ts";

const SOURCE_KINDS = ["attribute", "expression", "constant"] as const;
/** The user and the organization of the preview below the form. */
const PREVIEW_NAMES = ["user", "organization_slug"] as const;
const NAMES = ["claim", "kind", "value", "scope", "qualified", "allow_user_control", "version"] as const;

/** The group of the boxes below. */
export const DESTINATIONS_FIELD = "in";
export const destinationField = (destination: ClaimDestination) => `in_${destination}`;

type Values = Readonly<Record<string, string>>;

/** `mapping`: undefined for a new claim. */
export function valuesOf(target: ClaimsTarget, mapping: StoredMapping | undefined): Values {
  const kind = SOURCE_KINDS.find((each) => mapping?.[each] !== undefined) ?? "attribute";
  const value = mapping?.[kind];
  const destinations = mapping?.in ?? CLAIM_DESTINATIONS;
  return {
    claim: mapping?.claim ?? "",
    kind,
    value: kind === "constant" ? JSON.stringify(value, null, 2) : String(value ?? ""),
    scope: mapping?.scope ?? "",
    qualified: mapping?.qualified ? "yes" : "",
    allow_user_control: mapping?.allow_user_control ? "yes" : "",
    version: versionOf(target.updatedAt),
    ...Object.fromEntries(
      CLAIM_DESTINATIONS.map((each) => [destinationField(each), destinations.includes(each) ? "yes" : ""]),
    ),
  };
}

export function submittedValues(form: Fields): Values {
  const names = [...NAMES, ...PREVIEW_NAMES, ...CLAIM_DESTINATIONS.map(destinationField)];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

/** The mapping of the form on the wire; the flow validates its members. */
export function mappingOfForm({ owner }: ClaimsTarget, form: Fields): Result<Mapping, Refusal<"invalid_input">> {
  const kind = SOURCE_KINDS.find((each) => each === form.text("kind")) ?? "attribute";
  const text = form.text("value").trim();
  const value = kind === "constant" ? parsedJson(text) : text;
  if (value === undefined && text !== "") return err(invalidInput(FIELD, "format", "the constant is no JSON"));
  return ok({
    claim: form.text("claim").trim(),
    ...(text === "" ? {} : { [kind]: value }),
    scope: form.text("scope") || null,
    qualified: form.has("qualified"),
    allow_user_control: form.has("allow_user_control"),
    ...(owner.kind === "application" && {
      in: CLAIM_DESTINATIONS.filter((each) => form.has(destinationField(each))),
    }),
  });
}

type Mapping = Readonly<Record<string, unknown>>;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The mappings with the submitted mapping in the place of `edited`, or after the others. */
export function mappingsWith(
  { mappings }: ClaimsTarget,
  edited: StoredMapping | undefined,
  submitted: Mapping,
): readonly unknown[] {
  return edited ? mappings.map((each) => (each === edited ? submitted : each)) : [...mappings, submitted];
}

/** The form with the submitted values and the problem beside the field. */
export function refusedMapping(
  view: View,
  refusal: Refusal,
  form: Fields,
  target: ClaimsTarget,
  edited: StoredMapping | undefined,
): FormState {
  const values = submittedValues(form);
  if (refusal.code === "mfa_required") return { values };
  if (refusal.code === "conflict") return changedForm(view, values, edited ? valuesOf(target, edited) : {});
  const rule = refusal.fields?.find(({ field }) => field === FIELD)?.rule;
  if (rule === undefined) return { values, problem: messageOf(view, refusal) };
  if (!edited && target.mappings.length >= CLAIM_MAPPINGS_MAX) return { values, problem: view.t.mappings.full };
  const [field, text] = problemOf(view, refusal, rule, {
    isRepeated: target.mappings.some((each) => each !== edited && each.claim === values.claim?.trim()),
    isEmpty: values.value?.trim() === "",
    isNowhere:
      target.owner.kind === "application" && !CLAIM_DESTINATIONS.some((each) => values[destinationField(each)]),
  });
  return { values, errors: { [field]: text } };
}

const FIELD = "claim_mappings";

/** Whether the mapping is the problem, and not the user or organization of its preview. */
export function isOfMapping(refusal: Refusal): boolean {
  return refusal.fields?.some(({ field }) => field === FIELD) ?? false;
}

/** A message about the name of a claim names the member. */
const OF_NAME = /^claim_mappings\.\d+\.claim: /;
const SUBJECT = /^claim_mappings: /;

interface Context {
  readonly isRepeated: boolean;
  readonly isEmpty: boolean;
  /** Whether no destination is ticked, which an API does not have. */
  readonly isNowhere: boolean;
}

/** The field with the problem and its text; a technical reason is quoted as the API returns the reason. */
function problemOf(
  { t }: View,
  { message }: Refusal,
  rule: InputRule,
  { isRepeated, isEmpty, isNowhere }: Context,
): readonly [field: string, text: string] {
  const { rules } = t.mappings;
  const reason = message.replace(SUBJECT, "");
  if (OF_NAME.test(message)) return ["claim", rule === "not_allowed" ? rules.reserved : rules.name];
  switch (rule) {
    case "conflicting":
      return isRepeated ? ["claim", rules.repeated] : ["scope", rules.scope];
    case "required":
      if (isEmpty) return ["value", rules.required];
      return isNowhere ? [DESTINATIONS_FIELD, rules.destinations] : ["value", rules.malformed({ reason })];
    case "unknown_value":
      return ["value", rules.source];
    case "too_long":
      return ["value", rules.tooLong({ reason })];
    case "not_allowed":
      return ["value", rules.control({ reason })];
    default:
      return ["value", rules.malformed({ reason })];
  }
}
