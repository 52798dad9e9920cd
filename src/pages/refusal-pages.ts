import type { ShowMissing, ShowRefusal } from "../http/endpoint.ts";

/** The pages of refusals. */
export interface RefusalPages {
  /** Displays a refusal of the guards, without a read: no limit was checked, so a flood must stay cheap. */
  readonly showRefusal: ShowRefusal;
  /** Displays a refusal after the limits: a signed-in user keeps the navigation. */
  readonly showWithNavigation: ShowMissing;
}
