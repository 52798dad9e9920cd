/** The form of a new set-up link. */
import type { Refusal } from "../../base/problem.ts";
import { SETUP_INTENTS, type SetupIntent } from "../../vocabulary/setup-intent.ts";
import type { FormState } from "../components/form.tsx";
import type { Fields } from "../page.ts";
import { emailText } from "../problem-messages.ts";
import type { View } from "../view.tsx";

interface SubmittedLink {
  readonly intents: readonly SetupIntent[];
  readonly email: string | undefined;
  readonly expiresInHours: number;
}

export function setupLinkIn(form: Fields): SubmittedLink {
  return {
    intents: SETUP_INTENTS.filter((intent) => form.has(intent)),
    email: form.text("email").trim() || undefined,
    expiresInHours: Number(form.text("hours")),
  };
}

/** The refused form; undefined for a refusal that the form does not display. */
export function refusedSetupLink(view: View, form: Fields, { code, fields = [] }: Refusal): FormState | undefined {
  const { badTasks, full, hoursHint } = view.t.ssoSetup;
  const names = [...SETUP_INTENTS, "email", "hours"];
  const values = Object.fromEntries(names.map((name) => [name, form.text(name)]));
  if (code === "conflict") return { values, problem: full };
  if (code !== "invalid_input") return undefined;
  const texts: Readonly<Record<string, string>> = {
    intents: badTasks,
    email: emailText(view, form.text("email")),
    expires_in_hours: hoursHint,
  };
  const fieldOf = (field: string) => (field === "expires_in_hours" ? "hours" : field);
  return { values, errors: Object.fromEntries(fields.map(({ field }) => [fieldOf(field), texts[field] ?? ""])) };
}
