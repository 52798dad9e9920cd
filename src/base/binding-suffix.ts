import { hashToken } from "./token-hash.ts";

const SUFFIX_CHARACTERS = 8;

/** The end of the name of the cookie that binds one request to its browser; reveals nothing about the handle. */
export function bindingSuffix(handle: string): string {
  return hashToken(handle).toString("hex").slice(0, SUFFIX_CHARACTERS);
}

/** Whether a text of an address can be a suffix. */
export function isBindingSuffix(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}$/.test(text);
}
