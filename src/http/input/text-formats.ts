/**
 * Formats of texts with a function as the rule in place of a JSON Schema keyword. A schema names the function as its
 * `format`, so that a single validation reports all invalid fields of a request; `documented` displays the format in
 * the OpenAPI document.
 */
import { FormatRegistry } from "@sinclair/typebox";
import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import type { InputFlaw } from "../../base/invalid-input.ts";
import { isSlug, SLUG_FLAW } from "../../models/organization/slug.ts";
import { normalizePassword, passwordFlaw } from "../../models/password/password.ts";
import { emailFlaw, normalizeEmail } from "../../models/user/email-address.ts";

/** Each format returns the flaw of a text, or undefined for a valid text. */
export const TEXT_FORMATS: Readonly<Record<string, (text: string) => InputFlaw | undefined>> = {
  "display-name": (text) => (normalizeName(text) === undefined ? NAME_FLAW : undefined),
  "new-password": (text) => passwordFlaw(normalizePassword(text)),
  "organization-slug": (text) => (isSlug(text) ? undefined : SLUG_FLAW),
  "registered-email": (text) => (normalizeEmail(text) === undefined ? emailFlaw(text) : undefined),
};

for (const [name, flawOf] of Object.entries(TEXT_FORMATS))
  FormatRegistry.Set(name, (text) => flawOf(text) === undefined);
