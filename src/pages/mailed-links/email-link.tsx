import { maskEmail } from "../../base/masked-email.ts";
import { type FoundLink, findLink, signInByFoundLink } from "../../flows/email-otp/link.ts";
import { CODE_BROWSER_COOKIE, TRUST_COOKIE } from "../../http/cookies.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { HOME } from "../return-to.ts";
import type { WaitingPageDeps } from "../shared/waiting-application.ts";
import { usedMethod } from "../sign-in/browser-memory.ts";
import { afterFirstFactor } from "../sign-in/complete.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import { anonymousView } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";
import type { RecoveryPageDeps } from "./recovery-link.tsx";

const PATH = "/sign-in/link";

export type EmailLinkPageDeps = RecoveryPageDeps & WaitingPageDeps;

interface QuestionProps {
  /** Masked. */
  readonly email: string;
  readonly token: string;
  /** The button creates the account. */
  readonly isNew: boolean;
  readonly problem: string | undefined;
}

function Question({ email, token, isNew, problem }: QuestionProps) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.ticket.title({ email })} icon="mail" />
      {isNew && <p>{t.emailLink.isNew}</p>}
      {problem && <p class="note">{problem}</p>}
      <Form action={PATH}>
        <LinkField token={token} />
        <Button kind="primary" wide busy={t.signIn.busy}>
          {isNew ? t.emailLink.create : t.signIn.action}
        </Button>
      </Form>
    </Stage>
  );
}

/**
 * `/sign-in/link`: the target of the link beside an emailed code (docs/contract.md, section 37.4). A GET has no
 * effect, and a browser without the cookie of the request is asked for the code.
 */
export function emailLinkPage(deps: EmailLinkPageDeps): Page {
  return publicPage({
    path: PATH,
    limit: "sign_in",
    readLimit: "public_reads",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call)),
    async post(call) {
      const view = await anonymousView(deps, call);
      if (isOfAnotherLink(call)) return await show(deps, call, view.t.link.another, refusedParts(ANOTHER_LINK));
      const presented = presentedLink(call);
      const found = await findLink(deps, presented);
      const to = found?.redirectTo ?? HOME;
      const signedIn = await signInByFoundLink(deps, presented, found);
      if (signedIn.ok) {
        const cookies = [clearedLinkCookie(deps.config, PATH), ...usedMethod(deps.config, "email_code")];
        return afterFirstFactor(deps, signedIn.value, to, cookies);
      }
      const required = requiredSsoReply(deps, view, signedIn.error, to);
      if (required) return required;
      if (signedIn.error.code === "authentication_required") return await dead(deps, call, true);
      const { problem } = refusedForm(view, signedIn.error, {});
      return await show(deps, call, problem, refusedParts(signedIn.error));
    },
  });
}

function presentedLink({ cookies, client }: Pick<PageCall, "client" | "cookies">) {
  return {
    token: linkToken(cookies) ?? "",
    browserToken: cookies[CODE_BROWSER_COOKIE],
    trustToken: cookies[TRUST_COOKIE],
    client,
  };
}

async function show(deps: EmailLinkPageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const presented = presentedLink(call);
  const found = await findLink(deps, presented);
  return found
    ? await ask(deps, call, { found, token: presented.token, problem }, parts)
    : await dead(deps, call, false);
}

interface DisplayedLink {
  readonly found: FoundLink;
  readonly token: string;
  readonly problem: string | undefined;
}

async function ask(
  deps: EmailLinkPageDeps,
  call: PageCall,
  { found, token, problem }: DisplayedLink,
  parts: DisplayedParts,
) {
  const view = await anonymousView(deps, call);
  const email = maskEmail(found.email);
  const body = <Question email={email} token={token} isNew={!found.candidate} problem={problem} />;
  return showPage(view, { title: view.t.ticket.title({ email }), body, ...parts });
}

async function dead(deps: EmailLinkPageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const { t } = view;
  const body = <DeadLink text={t.emailLink.dead} action={t.signIn.action} href="/sign-in" />;
  return showPage(view, {
    title: t.emailLink.deadTitle,
    body,
    ...deadParts(deps.config, PATH, refused ? NO_LINK : undefined),
  });
}
