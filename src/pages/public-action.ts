/**
 * A button of a page that also serves visitors without a session: a mailed link, a set-up link, a code by email. Pages
 * of signed-in users have actions with permissions, questions and results (action.ts, docs/pages.md, "Actions").
 */
import type { Fields } from "./fields.ts";
import type { PageReply } from "./page-reply.ts";

export interface PublicAction<In> {
  /** The value of the button. */
  readonly step: string;
  /** Authorizes, works and responds; the response to a refusal included. */
  readonly run: (input: In) => Promise<PageReply> | PageReply;
}

export type PublicActions<In> = Readonly<Record<string, PublicAction<In>>>;

/** The declaration for pages with one kind of input. */
export function publicActionsOf<In>() {
  return (action: PublicAction<In>): PublicAction<In> => action;
}

/** The action of the pressed button; undefined for an unknown step, and for a form without a step. */
export function pressedPublicAction<In>(actions: PublicActions<In>, form: Fields): PublicAction<In> | undefined {
  const pressed = form.text("step");
  return Object.values(actions).find(({ step }) => step === pressed);
}
