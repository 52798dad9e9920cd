/** The button of a set-up link in the view that the page of a connection shares with the page of the link. */
import type { EmailDeps } from "../../deps.ts";
import { requestActivation } from "../../flows/sso/setup-links/connection.ts";
import type { SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { refusedPage } from "../error.tsx";
import { type PageCall, seeResult } from "../page.ts";
import { publicActionsOf } from "../public-action.ts";
import type { SiteDeps, View } from "../view.tsx";

/** A form of a live link. */
export interface SetupLinkInput<Deps = EmailDeps & SiteDeps> {
  readonly deps: Deps;
  readonly call: PageCall;
  readonly setup: SetupCaller;
  readonly view: View;
  /** The page of the link. */
  readonly place: string;
}

/** Asks the owners for the activation. */
export const requestLinkActivation = publicActionsOf<SetupLinkInput>()({
  step: "request-activation",
  async run({ deps, call: { client }, setup, view, place }) {
    const requested = await requestActivation(deps, { setup, client });
    if (requested.ok) return seeResult(place, "requested");
    return refusedPage(view, requested.error, { conflict: view.t.ssoConnections.notReady });
  },
});
