/** The frames of the pages of a set-up link, for a reader without an account. */
import type { ComponentChildren } from "preact";
import { Brand } from "../components/brand.tsx";
import { CopyResults } from "../components/copy.tsx";
import { Button, Form } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { LanguageMenu } from "../components/language-menu.tsx";
import { LegalLinks } from "../components/legal-links.tsx";
import { Done } from "../components/notices.tsx";
import { useView } from "../view.tsx";
import { passOnByLink } from "./passed-on-link.tsx";
import { SETUP } from "./paths.ts";

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
          <Button name="step" value={passOnByLink.step}>
            {wizard.newLink}
          </Button>
        </div>
      </Form>
    </details>
  );
}
