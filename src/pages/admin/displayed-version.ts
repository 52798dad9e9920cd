/** The hidden field `version` of a form: what it was shown of, so that it does not undo what others did meanwhile. */
import type { DisplayedVersion } from "../../database/statement.ts";
import type { Fields } from "../page.ts";

const NONE = "none";

/** `updatedAt`: undefined or null while nothing is stored. */
export function versionOf(updatedAt: Date | null | undefined): string {
  return updatedAt ? String(updatedAt.getTime()) : NONE;
}

/** A text that is no version is one that nothing has. */
export function displayedVersionIn(form: Fields): DisplayedVersion {
  const text = form.text("version");
  return text === NONE ? NONE : new Date(/^\d{1,15}$/.test(text) ? Number(text) : 0);
}
