/** Says refusals to people: what happened and what to do, in their language. */
import type { ProblemCode, Refusal } from "../base/problem.ts";
import { SWITCHED_ORGANIZATION } from "../http/form-csrf.ts";
import { statusOf } from "../http/problem-status.ts";
import type { FormState } from "./components/form.tsx";
import type { ShownParts } from "./html.tsx";
import type { View } from "./view.tsx";

/** What a page says of a code instead of the general sentence; of a limit every page says when to come back. */
export type OwnSentences = Partial<Record<Exclude<ProblemCode, "rate_limited">, string>>;

export function sentenceOf({ t, dates }: View, refusal: Refusal, own: OwnSentences = {}): string {
  if (refusal === SWITCHED_ORGANIZATION) return t.problems.switched;
  if (refusal.code === "rate_limited") return t.problems.rateLimited(dates.span(refusal.retryAfterSeconds ?? 60));
  return own[refusal.code] ?? t.problems[refusal.code];
}

/** The fields of the API in the order of their rules; each maps to what is said beside the field of a form. */
const RULES: readonly (readonly [RegExp, (view: View) => string])[] = [
  [/^(?:new_|owner_)?password: at most/, ({ t }) => t.password.tooLong],
  [/^(?:new_|owner_)?password: .*common/, ({ t }) => t.password.common],
  [/^(?:new_|owner_)?password: /, ({ t }) => t.password.tooShort],
  [/^(?:owner_)?email: /, ({ t }) => t.problems.email],
  [/_name: |^name: /, ({ t }) => t.problems.name],
  [/^url: /, ({ t }) => t.machines.badUrl],
  [/^days: /, ({ t }) => t.machines.badDays],
  [/^scopes: /, ({ t }) => t.machines.scopeHint],
  [/^event_types: /, ({ t }) => t.machines.badEventTypes],
  [/^code: /, ({ t }) => t.problems.code],
];

/** A refused form: the sentence stands beside the field that the refusal names, else above the form. */
export function refusedForm(
  view: View,
  refusal: Refusal,
  values: Readonly<Record<string, string>>,
  own: OwnSentences = {},
): FormState {
  const field = refusal.code === "invalid_input" ? /^(\w+): /.exec(refusal.message)?.[1] : undefined;
  const rule = RULES.find(([pattern]) => pattern.test(refusal.message));
  if (field && rule) return { values, errors: { [field]: rule[1](view) } };
  return { values, problem: sentenceOf(view, refusal, own) };
}

/** What a page that shows a refusal adds to itself. */
export function refusedParts(refusal: Refusal): ShownParts {
  const { code, retryAfterSeconds } = refusal;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { status: statusOf(code), headers, refused: refusal };
}

/**
 * A form that is not saved because another person has saved it since it was shown: with what was typed, its old version
 * included, and what is stored of each field that differs. `stored`: of every field of the form.
 */
export function changedForm(
  { t }: View,
  values: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): FormState {
  const differs = ([name, text]: [string, string]) => squeezed(text) !== squeezed(values[name] ?? "");
  return { values, problem: t.common.changedSince, stored: Object.fromEntries(Object.entries(stored).filter(differs)) };
}

/** A textarea sends CRLF (HTML, form submission), and lists are separated by any white space. */
function squeezed(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
