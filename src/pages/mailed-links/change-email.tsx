import type { SignInDeps } from "../../deps.ts";
import { confirmAddress } from "../../flows/user-emails/confirm-change.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";

const PATH = "/change-email";
type PageDeps = SignInDeps & SignedInUserDeps;

interface BodyProps {
  readonly token: string;
  /** The address of the signed-in user. */
  readonly caller: string | undefined;
  readonly problem?: string | undefined;
}

function ChangeBody({ token, caller, problem }: BodyProps) {
  const { t } = useView();
  const signIn = pathWith("/sign-in", { return_to: PATH });
  return (
    <Stage>
      <StageHead title={t.changeEmail.title} icon="mail" />
      <p>{caller ? t.changeEmail.lead({ email: caller }) : t.changeEmail.signInFirst}</p>
      {problem && <p class="note">{problem}</p>}
      {caller ? (
        <Form action={PATH}>
          <LinkField token={token} />
          <Button kind="primary" wide>
            {t.verify.action}
          </Button>
        </Form>
      ) : (
        <a class="button primary wide" href={signIn}>
          {t.signIn.action}
        </a>
      )}
      {problem && (
        <Form action={pathWith("/sign-out", { return_to: signIn })}>
          <Button wide>{t.invitation.switchUser}</Button>
        </Form>
      )}
    </Stage>
  );
}

/** `/change-email`: the target of the link to a requested address. Only a session of the requesting user confirms. */
export function changeEmailPage(deps: PageDeps): Page {
  return publicPage({
    path: PATH,
    continues: true,
    limit: "sign_in",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call)),
    async post(call) {
      const { caller, cookies, client } = call;
      const token = linkToken(cookies) ?? "";
      if (!caller) return await show(deps, call);
      const { t } = await anonymousView(deps, call);
      if (isOfAnotherLink(call)) return await show(deps, call, t.link.another, refusedParts(ANOTHER_LINK));
      const outcome = await confirmAddress(deps, { caller: caller.session, token, client });
      if (outcome.ok) return seeResult("/account", "email_changed", [clearedLinkCookie(deps.config, PATH)]);
      if (outcome.error.code !== "forbidden") return await dead(deps, call, true);
      return await show(deps, call, t.changeEmail.otherUser, refusedParts(outcome.error));
    },
  });
}

async function show(deps: PageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const token = linkToken(call.cookies);
  if (!token) return await dead(deps, call, false);
  const view = await anonymousView(deps, call);
  const body = <ChangeBody token={token} caller={call.caller?.session.email} problem={problem} />;
  return showPage(view, { title: view.t.changeEmail.title, body, ...parts });
}

async function dead(deps: PageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const body = <DeadLink text={view.t.changeEmail.dead} action={view.t.common.continue} href="/account#emails" />;
  return showPage(view, {
    title: view.t.link.dead,
    body,
    ...deadParts(deps.config, PATH, refused ? NO_LINK : undefined),
  });
}
