/** Problem messages for users: the result and the next step, in the language of the user. */

import { holdsLink, invisibleIn } from "../base/display-name.ts";
import { invisibleInEmail } from "../base/email-text.ts";
import type { ProblemCode, Refusal } from "../base/problem.ts";
import { statusOfRefusal } from "../http/problem-status.ts";
import type { InvalidField } from "../vocabulary/input-rules.ts";
import type { FormState } from "./components/form.tsx";
import type { DisplayedParts } from "./html.tsx";
import { textAt } from "./page.ts";
import type { View } from "./view.tsx";

/**
 * Messages of a page by code, in place of the general message; every page adds the retry time to the message of a
 * limit.
 */
export type ProblemMessages = Partial<Record<Exclude<ProblemCode, "rate_limited">, string>>;

export function messageOf({ t, dates }: View, refusal: Refusal, own: ProblemMessages = {}): string {
  if (refusal.reason === "organization_switched") return t.problems.switched;
  const byPolicy = textAt(t.problems.policy, refusal.reason ?? "");
  if (byPolicy !== undefined) return byPolicy;
  if (refusal.code === "rate_limited")
    return t.problems.rateLimited({ span: dates.span(refusal.retryAfterSeconds ?? 60) });
  // Forms send no conditions: pages compare the version of a form themselves, and refuse by `conflict`.
  const code = refusal.code === "precondition_failed" ? "conflict" : refusal.code;
  return own[code] ?? t.problems[code];
}

/** Texts of a page beside fields, by the name of the field or of the object with the field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The text beside a field. Related fields such as `password` and `new_password` have one text on all pages. */
function fieldText(view: View, { field, rule }: InvalidField, value: string): string | undefined {
  const { t } = view;
  switch (/[^_.]+$/.exec(field)?.[0]) {
    case "password":
      if (rule === "too_long") return t.password.tooLong;
      return rule === "common_password" ? t.password.common : t.password.tooShort;
    case "email":
      return emailText(view, value);
    case "name":
      return nameText(view, value);
    case "code":
      return t.problems.code;
    case "url":
      return t.serviceAccounts.badUrl;
    case "days":
      return t.serviceAccounts.badDays;
    case "scopes":
      return t.serviceAccounts.scopeHint;
    case "types":
      return t.serviceAccounts.badEventTypes;
    default:
      return undefined;
  }
}

/** What is wrong with an address. */
export function emailText({ t }: View, email: string): string {
  const code = invisibleInEmail(email);
  return code === undefined ? t.problems.email : t.problems.emailInvisible({ code });
}

/** What is wrong with a name: a reader does not see a character that reverses the direction of text. */
function nameText({ t }: View, name: string): string {
  const code = invisibleIn(name.trim())?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  if (code !== undefined) return t.problems.nameInvisible({ code: `U+${code}` });
  return holdsLink(name) ? t.problems.nameLink : t.problems.name;
}

/** The field's own text of the page, by full name, by the first or by the last part of the name. */
function ownText(texts: FieldTexts, field: string): readonly [string, string] | undefined {
  const parts = field.split(".");
  const name = [field, parts[0] ?? field, parts.at(-1) ?? field].find((each) => Object.hasOwn(texts, each));
  return name === undefined ? undefined : [name, texts[name] ?? ""];
}

/**
 * The state of a refused form: a text beside every invalid field. If a field has no text, the general message of the
 * code stands above the form as well.
 */
export function refusedForm(
  view: View,
  refusal: Refusal,
  values: Readonly<Record<string, string>>,
  own: ProblemMessages = {},
  fieldTexts: FieldTexts = {},
): FormState {
  const fields = refusal.fields ?? [];
  const texts = fields.map((invalid) => {
    const text = fieldText(view, invalid, values[invalid.field] ?? "");
    return ownText(fieldTexts, invalid.field) ?? (text === undefined ? undefined : ([invalid.field, text] as const));
  });
  const known = texts.filter((text) => text !== undefined);
  const errors = Object.fromEntries(known);
  if (known.length > 0 && known.length === fields.length) return { values, errors };
  return { values, errors, problem: messageOf(view, refusal, own) };
}

/** The reply parts of a page that displays a refusal. */
export function refusedParts(refusal: Refusal): DisplayedParts {
  const { retryAfterSeconds } = refusal;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { status: statusOfRefusal(refusal), headers, refused: refusal };
}

/**
 * A form that was refused because another user has changed the object since the form was displayed: with the submitted
 * values, the old version included, and the stored value of each changed field. `stored`: the stored values of all
 * fields of the form.
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
