/** What the rules for settings of both protocols share. */
import type { InputFlaw } from "../../../base/invalid-input.ts";
import type { GuardedPostOptions } from "../../../providers/guarded-post.ts";

/** Which addresses the service may call (docs/contract.md, section 26.5). */
export type Reach = Pick<GuardedPostOptions, "allows" | "loopback">;

/** A setting with its flaw; undefined: the value is valid. */
export type SettingFlaw = readonly [string, InputFlaw | undefined];

export const REQUIRED: InputFlaw = { rule: "required", text: "must not be empty" };
export const DUPLICATE: InputFlaw = { rule: "conflicting", text: "contains a duplicate" };

export function tooLong(max: number): InputFlaw {
  return { rule: "too_long", text: `at most ${max} characters` };
}

/** PostgreSQL stores neither NUL nor unpaired surrogates in JSON; other control characters have no use here. */
export function textFlaw(text: string, max: number): InputFlaw | undefined {
  if (text === "") return REQUIRED;
  if (text.length > max) return tooLong(max);
  return !text.isWellFormed() || /\p{Cc}/u.test(text)
    ? { rule: "format", text: "printable characters only" }
    : undefined;
}

/** The flaw of the first item with a flaw. */
export function firstFlaw<Item>(
  items: readonly Item[],
  flawOf: (item: Item) => InputFlaw | undefined,
): InputFlaw | undefined {
  for (const item of items) {
    const flaw = flawOf(item);
    if (flaw) return flaw;
  }
  return undefined;
}
