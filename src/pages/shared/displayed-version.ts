/**
 * The hidden field `version` of a form: the version of the displayed object. A form with an old version is refused, so
 * that no change of another administrator is lost.
 */
import type { DisplayedVersion } from "../../database/statement.ts";
import type { Fields } from "../page.ts";

const NONE = "none";

/** `updatedAt`: undefined or null while nothing is stored. */
export function versionOf(updatedAt: Date | null | undefined): string {
  return updatedAt ? String(updatedAt.getTime()) : NONE;
}

/** A malformed version becomes a version that no row has. */
export function displayedVersionIn(form: Fields): DisplayedVersion {
  const text = form.text("version");
  return text === NONE ? NONE : new Date(/^\d{1,15}$/.test(text) ? Number(text) : 0);
}

/** Undefined for a form of an earlier release, which has no version. */
export function presentVersionIn(form: Fields): DisplayedVersion | undefined {
  return form.has("version") ? displayedVersionIn(form) : undefined;
}
