import type { ShowMissing, ShowRefusal } from "../http/endpoint.ts";

/** The pages of refusals. */
export interface RefusalPages {
  /** Of the guards, without a read: limits have not been checked, so a flood must stay cheap. */
  readonly showRefusal: ShowRefusal;
  /** After the limits: a signed-in user keeps the navigation. */
  readonly showWithNavigation: ShowMissing;
}
