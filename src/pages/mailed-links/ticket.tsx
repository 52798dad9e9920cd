import { maskEmail } from "../../base/masked-email.ts";
import { readTicket, signInWithTicket } from "../../flows/tickets/sign-in.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { HOME } from "../return-to.ts";
import { afterFirstFactor } from "../sign-in/complete.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import { anonymousView } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";
import type { RecoveryPageDeps } from "./recovery-link.tsx";

const PATH = "/sign-in/ticket";

interface QuestionProps {
  /** Masked. */
  readonly email: string;
  readonly token: string;
  readonly problem: string | undefined;
}

function Question({ email, token, problem }: QuestionProps) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.ticket.title({ email })} icon="key" />
      <p>{t.ticket.lead}</p>
      {problem && <p class="note">{problem}</p>}
      <Form action={PATH}>
        <LinkField token={token} />
        <Button kind="primary" wide>
          {t.signIn.action}
        </Button>
      </Form>
    </Stage>
  );
}

/** `/sign-in/ticket`: the target of a ticket that a program received in place of an email. A GET has no effect. */
export function ticketPage(deps: RecoveryPageDeps): Page {
  return publicPage({
    path: PATH,
    limit: "sign_in",
    readLimit: "public_reads",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call)),
    async post(call) {
      const view = await anonymousView(deps, call);
      if (isOfAnotherLink(call)) return await show(deps, call, view.t.link.another, refusedParts(ANOTHER_LINK));
      const token = linkToken(call.cookies) ?? "";
      const signedIn = await signInWithTicket(deps, { token, client: call.client });
      if (signedIn.ok) {
        const { outcome, redirectTo } = signedIn.value;
        return afterFirstFactor(deps, outcome, redirectTo ?? HOME, [clearedLinkCookie(deps.config, PATH)]);
      }
      const to = (await readTicket(deps, token))?.redirectTo ?? HOME;
      const required = requiredSsoReply(deps, view, signedIn.error, to);
      if (required) return required;
      if (signedIn.error.code === "authentication_required") return await dead(deps, call, true);
      const { problem } = refusedForm(view, signedIn.error, {});
      return await show(deps, call, problem, refusedParts(signedIn.error));
    },
  });
}

async function show(deps: RecoveryPageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const token = linkToken(call.cookies);
  const ticket = await readTicket(deps, token);
  if (token === undefined || !ticket) return await dead(deps, call, false);
  const view = await anonymousView(deps, call);
  const email = maskEmail(ticket.email);
  const body = <Question email={email} token={token} problem={problem} />;
  return showPage(view, { title: view.t.ticket.title({ email }), body, ...parts });
}

async function dead(deps: RecoveryPageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const { t } = view;
  const body = <DeadLink text={t.ticket.dead} action={t.signIn.action} href="/sign-in" />;
  return showPage(view, { title: t.link.dead, body, ...deadParts(deps.config, PATH, refused ? NO_LINK : undefined) });
}
