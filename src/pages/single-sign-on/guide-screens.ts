/** The instructions of an identity provider, by the pages of its console. */
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import { GUIDES, type GuideAction } from "./guides.ts";
import { SAML_GUIDES } from "./saml-guides.ts";

export interface GuideScreen {
  /** The last menu of the path; undefined for instructions without a path. */
  readonly title: string | undefined;
  readonly actions: readonly GuideAction[];
}

export function guideActions({ protocol, preset }: Pick<SsoConnection, "protocol" | "preset">): readonly GuideAction[] {
  return protocol === "saml" ? SAML_GUIDES[preset] : GUIDES[preset].actions;
}

/** Each path of menus begins a page. */
export function guideScreens(actions: readonly GuideAction[]): readonly GuideScreen[] {
  const screens: GuideAction[][] = [];
  for (const action of actions) {
    const last = screens.at(-1);
    if (action.kind === "open" || last === undefined) screens.push([action]);
    else last.push(action);
  }
  return screens.map((screen) => ({ title: titleOf(screen[0]), actions: screen }));
}

function titleOf(first: GuideAction | undefined): string | undefined {
  return first?.kind === "open" ? first.path.at(-1) : undefined;
}
