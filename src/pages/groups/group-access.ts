import type { EmailDeps, SessionDeps } from "../../deps.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";

export type GroupPageDeps = SessionDeps & EmailDeps & SignedInUserDeps;

/** Messages of refusals that no form displays. */
export function groupMessages({ t: { groups } }: View) {
  return { forbidden: groups.notYours, payment_required: groups.notIncluded, conflict: groups.ofDirectory };
}
