import type { SignInDeps } from "../../deps.ts";
import { undoAddressChange } from "../../flows/user-emails/undo.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";

const PATH = "/undo-email";
type PageDeps = SignInDeps & SignedInUserDeps;

function UndoBody({ token, problem }: { readonly token: string; readonly problem: string | undefined }) {
  const { t } = useView();
  return (
    <Stage>
      <h1>{t.undoEmail.title}</h1>
      <p>{t.undoEmail.lead}</p>
      <p class="soft">{t.undoEmail.effects}</p>
      {problem && <p class="note">{problem}</p>}
      <Form action={PATH}>
        <LinkField token={token} />
        <Button kind="bad" wide>
          {t.undoEmail.action}
        </Button>
      </Form>
    </Stage>
  );
}

function UndoneBody() {
  const { t } = useView();
  return (
    <Stage>
      <h1>{t.undoEmail.doneTitle}</h1>
      <p>{t.undoEmail.done}</p>
      <a class="button primary wide" href="/forgot-password">
        {t.account.setPassword}
      </a>
    </Stage>
  );
}

/** `/undo-email`: the target of the undo link in the notice to the former address. Needs no session. */
export function undoEmailPage(deps: PageDeps): Page {
  return publicPage({
    path: PATH,
    limit: "sign_in",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call)),
    async post(call) {
      const token = linkToken(call.cookies) ?? "";
      if (isOfAnotherLink(call)) {
        const problem = (await anonymousView(deps, call)).t.link.another;
        return await show(deps, call, problem, refusedParts(ANOTHER_LINK));
      }
      const outcome = await undoAddressChange(deps, { token, client: call.client });
      if (!outcome.ok) return await dead(deps, call, true);
      return seeResult(PATH, "undone", [clearedLinkCookie(deps.config, PATH)]);
    },
  });
}

async function show(deps: PageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const view = await anonymousView(deps, call);
  if (call.result === "undone") return showPage(view, { title: view.t.undoEmail.doneTitle, body: <UndoneBody /> });
  const token = linkToken(call.cookies);
  if (!token) return await dead(deps, call, false);
  const body = <UndoBody token={token} problem={problem} />;
  return showPage(view, { title: view.t.undoEmail.title, body, ...parts });
}

async function dead(deps: PageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const body = <DeadLink text={view.t.undoEmail.dead} action={view.t.common.continue} href="/account" />;
  return showPage(view, {
    title: view.t.link.dead,
    body,
    ...deadParts(deps.config, PATH, refused ? NO_LINK : undefined),
  });
}
