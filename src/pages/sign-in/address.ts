/** The typed address of a sign-in. The flows validate the address again. */
import { invisibleInEmail } from "../../base/email-text.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import type { FormState } from "../components/form.tsx";
import { emailText } from "../problem-messages.ts";
import type { View } from "../view.tsx";

export function isAddress(email: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(email) && invisibleInEmail(email) === undefined;
}

export const NO_ADDRESS: Refusal = invalidInput("email", "format", "not an email address");

/** The form of a missing or malformed address. */
export function addressState(view: View, email: string): FormState {
  return { values: { email }, errors: { email: email ? emailText(view, email) : view.t.problems.emailMissing } };
}
