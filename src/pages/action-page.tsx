/** The pages of actions: the dispatch of a form, the page of the question, and the pages of refusals (action.ts). */
import type { VNode } from "preact";
import type { Refusal } from "../base/problem.ts";
import { ORGANIZATION_FIELD } from "../http/form-csrf.ts";
import type { Reply } from "../http/reply.ts";
import { type ActionInput, type Actions, pressedAction, type Submission } from "./action.ts";
import type { Island } from "./assets.ts";
import { type Place, Shell } from "./components/layout.tsx";
import { QuestionForm } from "./components/question.tsx";
import { refusedPage } from "./error.tsx";
import type { Fields } from "./fields.ts";
import { type DisplayedParts, showPage } from "./html.tsx";
import {
  type AuthenticatedCall,
  type AuthenticatedPageSpec,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  uuidIn,
} from "./page.ts";
import type { PageReply } from "./page-reply.ts";
import { type ProblemMessages, refusedParts } from "./problem-messages.ts";
import { PartialOutcomeBody } from "./shared/selection-boxes.tsx";
import { type SignedInUser, type SignedInUserDeps, signedInUser } from "./signed-in-user.ts";
import type { View } from "./view.tsx";

export interface FramedPage extends DisplayedParts {
  readonly title: string;
  readonly body: VNode;
  readonly done?: string | undefined;
  readonly islands?: readonly Island[];
  /** True: the page is below the place in the navigation, not the place itself. */
  readonly inside?: boolean;
  /** As in `FrameProps`. */
  readonly below?: string;
}

/** The differences between the pages of an organization or account and the pages of the console. */
export interface ActionFrame<In> {
  readonly user: (input: In) => Promise<SignedInUser>;
  readonly display: (input: In, user: SignedInUser, page: FramedPage) => Reply;
  /** `place`: the way back. */
  readonly refuse: (input: In, user: SignedInUser, refusal: Refusal, own: ProblemMessages, place: string) => Reply;
}

/** A page with its actions. */
export interface ActionPage<In, State> {
  readonly frame: ActionFrame<In>;
  readonly actions: Actions<In, State>;
  /** The address of the page. */
  readonly place: (input: In) => string;
  /** The step of a form without a step. */
  readonly defaultStep?: string;
  /** The step of the address of a question without a step. */
  readonly defaultQuestion?: string;
  /** Problem messages of every action. */
  readonly problems?: (view: View) => ProblemMessages;
  /** Displays the page with a refused form. */
  readonly show?: (input: In, state: State, parts: DisplayedParts) => Promise<Reply>;
}

/** Displays a page of an organization or account. */
export function displayInShell(at: Place, { profile, view }: SignedInUser, page: FramedPage): Reply {
  const { body, inside = false, below, ...parts } = page;
  const framed = (
    <Shell at={at} inside={inside} profile={profile} below={below}>
      {body}
    </Shell>
  );
  return showPage(view, { ...parts, body: framed });
}

/** The frame of the pages of an organization or account. */
export function shellFrame<In extends ActionInput>(at: Place): ActionFrame<In> {
  return {
    user: ({ deps, call }) => signedInUser(deps, call),
    refuse: (_, { view }, refusal, own) => refusedPage(view, refusal, own),
    display: (_, user, page) => displayInShell(at, user, page),
  };
}

function submitted<In extends ActionInput, State>(
  { frame }: ActionPage<In, State>,
  input: In,
  fields: Fields,
  item: string,
): In & Submission {
  const { client } = input.call;
  return { ...input, fields, id: uuidIn(fields.text("id")), item, client, user: () => frame.user(input) };
}

/** Executes the action of the pressed button. */
export async function postAction<In extends ActionInput, State>(
  page: ActionPage<In, State>,
  input: In,
): Promise<PageReply> {
  const { actions, frame } = page;
  const { form } = input.call;
  const [action, item] = pressedAction(actions, form.text("step") || (page.defaultStep ?? ""));
  if (!action) return frame.refuse(input, await frame.user(input), NOTHING_THERE, {}, page.place(input));
  const request = submitted(page, input, form, item);
  const place = action.at?.(request) ?? page.place(input);
  const outcome = await action.post(request, place);
  if (outcome.ok) return outcome.value;
  const { refusal, problems, rows } = outcome.error;
  const user = await frame.user(input);
  const parts = refusedParts(refusal);
  if (rows) {
    const title = user.view.t.selection.partial({ count: rows.outcome.refused.length });
    return frame.display(input, user, {
      title,
      body: <PartialOutcomeBody {...rows} place={place} />,
      inside: true,
      ...parts,
    });
  }
  const state = await outcome.error.form(user);
  if (state !== undefined && page.show) return await page.show(input, state, parts);
  return frame.refuse(input, user, refusal, { ...page.problems?.(user.view), ...problems(user.view) }, place);
}

/** Displays the question before an action. The form of the question posts to the page of the action. */
export async function askAction<In extends ActionInput, State>(page: ActionPage<In, State>, input: In): Promise<Reply> {
  const { frame } = page;
  const { query } = input.call;
  const step = query.text("step") || (page.defaultQuestion ?? "");
  const user = await frame.user(input);
  const [action, item] = pressedAction(page.actions, step);
  const request = submitted(page, input, query, item);
  const place = action?.at?.(request) ?? page.place(input);
  const question = await action?.ask?.({ ...request, ...user });
  if (!question) return frame.refuse(input, user, NOTHING_THERE, {}, place);
  const id = question.rows || !query.has("id") ? undefined : query.text("id");
  const { title } = question;
  const body = <QuestionForm place={place} {...question} step={step} id={id} />;
  return frame.display(input, user, { title, body, below: title });
}

type ActionPageSpec = Omit<AuthenticatedPageSpec, "post">;

/** A page of an organization or account whose forms are actions. */
export function actionPage<Deps extends SignedInUserDeps, State>(
  deps: Deps,
  page: ActionPage<{ readonly deps: Deps; readonly call: AuthenticatedCall }, State>,
  spec: ActionPageSpec,
): Page {
  return authenticatedPage({ ...spec, post: (call) => postAction(page, { deps, call }) });
}

/** The page of the questions of a page, or of several pages. */
export function confirmPage<Deps extends SignedInUserDeps, State>(
  deps: Deps,
  page: ActionPage<{ readonly deps: Deps; readonly call: AuthenticatedCall }, State>,
  spec: Pick<AuthenticatedPageSpec, "boundSession" | "path">,
): Page {
  return authenticatedPage({
    ...spec,
    async get(call) {
      // A user has the same id in every organization: the link names the organization of the page.
      const organization = call.query.text(ORGANIZATION_FIELD);
      const isHere = organization === "" || organization === call.caller.session.organizationId;
      return await askAction(isHere ? page : { ...page, actions: {} }, { deps, call });
    },
  });
}
