import { isLocalPath } from "../base/local-path.ts";
import type { Fields } from "./fields.ts";

export const HOME = "/account";

/** Where to go after a sign-in: a path of this origin, else the account (docs/pages.md). */
export function returnTo(fields: Fields): string {
  return localPath(fields.text("return_to")) ?? HOME;
}

/** The text if the text is a path of this origin. */
export function localPath(text: string, maxCharacters?: number): string | undefined {
  return isLocalPath(text, maxCharacters) ? text : undefined;
}

/** Query values for a link or redirect that preserves the return path; empty for the default path. */
export function carried(path: string): string | undefined {
  return path === HOME ? undefined : path;
}

/** The page of this origin with the sent form. */
export function refererPath(request: Request): string | undefined {
  const referer = request.headers.get("referer") ?? "";
  return URL.canParse(referer) ? localPath(referer.slice(new URL(referer).origin.length)) : undefined;
}
