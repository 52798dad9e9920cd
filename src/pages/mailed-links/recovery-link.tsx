/** Pages of links that give an account back to its mailbox: one button, and then the way to a new password. */
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";

export type RecoveryPageDeps = SignInDeps & SignedInUserDeps;

export interface RecoveryLink {
  readonly path: string;
  readonly texts: (t: Texts) => RecoveryTexts;
  /** Consumes the token of the link. */
  readonly act: (input: { readonly token: string; readonly client: RequestContext }) => Promise<Result<void, Refusal>>;
}

type RecoveryTexts = Texts["undoEmail"];

interface QuestionProps {
  readonly path: string;
  readonly texts: RecoveryTexts;
  readonly token: string;
  readonly problem: string | undefined;
}

function Question({ path, texts, token, problem }: QuestionProps) {
  return (
    <Stage>
      <StageHead title={texts.title} icon="shield" />
      <p>{texts.lead}</p>
      <p class="soft">{texts.effects}</p>
      {problem && <p class="note">{problem}</p>}
      <Form action={path}>
        <LinkField token={token} />
        <Button kind="loss" wide>
          {texts.action}
        </Button>
      </Form>
    </Stage>
  );
}

function Done({ texts }: { readonly texts: RecoveryTexts }) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={texts.doneTitle} icon="check" />
      <p>{texts.done}</p>
      <a class="button primary wide" href="/forgot-password">
        {t.account.setPassword}
      </a>
    </Stage>
  );
}

/** The page of such a link. Needs no session; GET has no effect. */
export function recoveryLinkPage(deps: RecoveryPageDeps, link: RecoveryLink): Page {
  const { path, act } = link;
  return publicPage({
    path,
    limit: "sign_in",
    get: async (call) => takeToken(deps, path, call) ?? (await show(deps, link, call)),
    async post(call) {
      const token = linkToken(call.cookies) ?? "";
      if (isOfAnotherLink(call)) {
        const problem = (await anonymousView(deps, call)).t.link.another;
        return await show(deps, link, call, problem, refusedParts(ANOTHER_LINK));
      }
      const outcome = await act({ token, client: call.client });
      if (!outcome.ok) return await dead(deps, link, call, true);
      return seeResult(path, "done", [clearedLinkCookie(deps.config, path)]);
    },
  });
}

async function show(
  deps: RecoveryPageDeps,
  link: RecoveryLink,
  call: PageCall,
  problem?: string,
  parts: DisplayedParts = {},
) {
  const { path } = link;
  const view = await anonymousView(deps, call);
  const texts = link.texts(view.t);
  if (call.result === "done") return showPage(view, { title: texts.doneTitle, body: <Done texts={texts} /> });
  const token = linkToken(call.cookies);
  if (!token) return await dead(deps, link, call, false);
  const body = <Question path={path} texts={texts} token={token} problem={problem} />;
  return showPage(view, { title: texts.title, body, ...parts });
}

async function dead(deps: RecoveryPageDeps, { path, texts }: RecoveryLink, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const { t } = view;
  const body = <DeadLink text={texts(t).dead} action={t.common.continue} href="/account" />;
  return showPage(view, { title: t.link.dead, body, ...deadParts(deps.config, path, refused ? NO_LINK : undefined) });
}
