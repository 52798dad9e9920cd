import type { SignInDeps } from "../../deps.ts";
import { cancelDeletionByLink, readDeletionLink } from "../../flows/deletions/cancel.ts";
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

const PATH = "/cancel-deletion";
type PageDeps = SignInDeps & SignedInUserDeps;
type Subject = "user" | "organization";

function textsOf({ cancelDeletion: t }: Texts, subject: Subject) {
  if (subject === "user") return t;
  return {
    title: t.organizationTitle,
    lead: t.organizationLead,
    action: t.organizationAction,
    doneTitle: t.organizationDoneTitle,
    done: t.organizationDone,
  };
}

interface CancelProps {
  readonly subject: Subject;
  readonly token: string;
  readonly problem: string | undefined;
}

function CancelBody({ subject, token, problem }: CancelProps) {
  const { t } = useView();
  const { title, lead, action } = textsOf(t, subject);
  return (
    <Stage>
      <StageHead title={title} icon="account" />
      <p>{lead}</p>
      {problem && <p class="note">{problem}</p>}
      <Form action={PATH}>
        <LinkField token={token} />
        <Button kind="primary" wide>
          {action}
        </Button>
      </Form>
    </Stage>
  );
}

function CancelledBody({ subject }: { readonly subject: Subject }) {
  const { t } = useView();
  const { doneTitle, done } = textsOf(t, subject);
  return (
    <Stage>
      <StageHead title={doneTitle} icon="check" />
      <p>{done}</p>
      <a class="button primary wide" href="/sign-in">
        {t.signIn.title}
      </a>
    </Stage>
  );
}

/** `/cancel-deletion`: the target of the link in the email about a requested deletion. Needs no session. */
export function cancelDeletionPage(deps: PageDeps): Page {
  return publicPage({
    path: PATH,
    limit: "sign_in",
    readLimit: "sign_in",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call)),
    async post(call) {
      const token = linkToken(call.cookies) ?? "";
      if (isOfAnotherLink(call)) {
        const problem = (await anonymousView(deps, call)).t.link.another;
        return await show(deps, call, problem, refusedParts(ANOTHER_LINK));
      }
      const outcome = await cancelDeletionByLink(deps, { token, client: call.client });
      if (!outcome.ok) return await dead(deps, call, true);
      return seeResult(PATH, outcome.value.subjectType, [clearedLinkCookie(deps.config, PATH)]);
    },
  });
}

async function show(deps: PageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const view = await anonymousView(deps, call);
  const { result } = call;
  if (result === "user" || result === "organization") {
    const title = textsOf(view.t, result).doneTitle;
    return showPage(view, { title, body: <CancelledBody subject={result} /> });
  }
  const token = linkToken(call.cookies);
  const subject = token === undefined ? undefined : await readDeletionLink(deps, token);
  if (token === undefined || !subject) return await dead(deps, call, false);
  const body = <CancelBody subject={subject} token={token} problem={problem} />;
  return showPage(view, { title: textsOf(view.t, subject).title, body, ...parts });
}

async function dead(deps: PageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const body = <DeadLink text={view.t.cancelDeletion.dead} action={view.t.common.continue} href="/account" />;
  return showPage(view, {
    title: view.t.link.dead,
    body,
    ...deadParts(deps.config, PATH, refused ? NO_LINK : undefined),
  });
}
