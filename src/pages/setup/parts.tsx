/** What the pages of a set-up link share. */
import type { ComponentChildren } from "preact";
import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { NO_SETUP_LINK, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import type { Reply } from "../../http/reply.ts";
import { brandedView } from "../branded-view.ts";
import { Brand } from "../components/brand.tsx";
import { CopyResults } from "../components/copy.tsx";
import { Button, Form } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { LanguageMenu } from "../components/language-menu.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { LegalLinks } from "../components/legal-links.tsx";
import { Done } from "../components/notices.tsx";
import { clearedLinkCookie, clearedSetupCookie } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import type { PageCall } from "../page.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { PASS_ON, SETUP } from "./paths.ts";

export type SetupDeps = SignedInUserDeps & StoreDeps;

/** One wide column without navigation: the reader has no account. */
export function SetupFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <main class="main alone" id="main">
        <Brand />
        <Done />
        {children}
        <LegalLinks />
      </main>
      <LanguageMenu />
    </>
  );
}

interface TaskFrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly tags?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The page of one task, with the way back to all tasks. */
export function TaskFrame({ title, lead, tags, children }: TaskFrameProps) {
  const { t } = useView();
  return (
    <SetupFrame>
      <SubPageHead
        above={[{ href: SETUP, text: t.ssoSetup.overview }]}
        title={title}
        tags={tags}
        {...(lead && { lead })}
      />
      {children}
      <p>
        <a href={SETUP}>{t.ssoSetup.toTasks}</a>
      </p>
      <Colleague />
      <CopyResults />
    </SetupFrame>
  );
}

/** The way to another person, who manages the identity provider or the domain. */
export function Colleague() {
  const { wizard } = useView().t.ssoSetup;
  return (
    <details class="fold">
      <summary>
        <span class="fold-title">{wizard.colleague}</span>
      </summary>
      <Form action={SETUP} class="stack">
        <p class="soft">{wizard.colleagueLead}</p>
        <div class="actions">
          <Button name="step" value={PASS_ON}>
            {wizard.newLink}
          </Button>
        </div>
      </Form>
    </details>
  );
}

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
