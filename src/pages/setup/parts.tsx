/** What the pages of a set-up link share. */
import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { NO_SETUP_LINK, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import type { Reply } from "../../http/reply.ts";
import { brandedView } from "../branded-view.ts";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, clearedSetupCookie } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import type { PageCall } from "../page.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { SETUP } from "./paths.ts";

export type SetupDeps = SignedInUserDeps & StoreDeps;

/** The view in the language of the browser, with the brand of the organization. */
export async function setupView(deps: SetupDeps, call: PageCall, { link }: SetupCaller): Promise<View> {
  return await brandedView(deps, await anonymousView(deps, call), link);
}

/** A page of a set-up link: the page of an ended link, a refusal, or the page for the live link. */
export async function withSetup(
  deps: SetupDeps,
  call: PageCall,
  authorized: Result<SetupCaller, Refusal>,
  show: (setup: SetupCaller, view: View) => Promise<Reply> | Reply,
): Promise<Reply> {
  if (!authorized.ok && authorized.error.code === NO_SETUP_LINK.code) return await endedLink(deps, call);
  if (!authorized.ok) return refusedPage(await anonymousView(deps, call), authorized.error);
  return await show(authorized.value, await setupView(deps, call, authorized.value));
}

/** All ended links have one page and one status, whatever the cause. */
export async function endedLink(deps: SetupDeps, call: PageCall, parts: DisplayedParts = {}): Promise<Reply> {
  const view = await anonymousView(deps, call);
  const { link, ssoSetup } = view.t;
  const body = (
    <Stage>
      <StageHead title={link.dead} icon="clock" />
      <p>{ssoSetup.dead}</p>
    </Stage>
  );
  const cookies = [clearedLinkCookie(deps.config, SETUP), clearedSetupCookie(deps.config)];
  return showPage(view, { title: link.dead, body, refused: NO_SETUP_LINK, status: 401, cookies, ...parts });
}
