import type { AnyCall, ShowMissing, ShowRefusal } from "../http/endpoint.ts";
import type { Caller } from "../http/guards/caller.ts";
import type { Reply } from "../http/reply.ts";

/** The form that a page refused. */
export interface RefusedForm extends Pick<AnyCall, "client" | "parameters" | "request"> {
  readonly caller: Caller | undefined;
  readonly formPage: string | undefined;
}

/** The reply itself, or the question of a form that was refused with channels. */
export type AskChannels = (reply: Reply, form: RefusedForm) => Promise<Reply>;

/** The pages of refusals. */
export interface RefusalPages {
  /** Displays a refusal of the guards, without a read: no limit was checked, so a flood must stay cheap. */
  readonly showRefusal: ShowRefusal;
  /** Displays a refusal after the limits: a signed-in user keeps the navigation. */
  readonly showWithNavigation: ShowMissing;
  /** Names the people behind the channels of a refused grant, in place of the reply (channel-question.tsx). */
  readonly askChannels: AskChannels;
}
