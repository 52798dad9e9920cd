/**
 * An action of a page, declared once in the folder of its feature: the pressed button, who may, the question, the work,
 * the result and the problems. The dispatch of a form, the page of the question, the result message and the page of a
 * refusal follow from the declaration (action-page.tsx, docs/pages.md, "Actions").
 */

import type { Refusal } from "../base/problem.ts";
import type { RequestContext } from "../base/request-context.ts";
import { err, ok, type Result } from "../base/result.ts";
import { authorizePermission, type MembershipDeps } from "../flows/steps/authorization/authorize-member.ts";
import { requireStepUp } from "../flows/steps/sessions/step-up.ts";
import type { SessionView } from "../models/session/session.ts";
import type { Permission } from "../vocabulary/permissions.ts";
import { pathWith } from "./addresses.ts";
import type { FormState } from "./components/form.tsx";
import type { Question } from "./components/question.tsx";
import type { Fields } from "./fields.ts";
import type { AuthenticatedCall } from "./page.ts";
import { type PageReply, seeOther, seeResult } from "./page-reply.ts";
import type { ProblemMessages } from "./problem-messages.ts";
import {
  actOnSelection,
  askSelection,
  type PartialOutcome,
  type Selection,
  type SelectionStep,
  selectionMessages,
  selectionResult,
} from "./selection.ts";
import type { SignedInUser, SignedInUserDeps } from "./signed-in-user.ts";
import type { View } from "./view.tsx";

/** The request of a page, with the objects that the page has read for every action. */
export interface ActionInput {
  readonly deps: SignedInUserDeps;
  readonly call: AuthenticatedCall;
}

/** The submitted form, or the query of the question about the form. */
export interface Submission {
  readonly fields: Fields;
  /** The field `id`; malformed text becomes an id that no row has. */
  readonly id: string;
  /** The text after the slash of a step with `hasItem`; else empty. */
  readonly item: string;
  readonly client: RequestContext;
  readonly user: () => Promise<SignedInUser>;
}

type Submitted<In> = In & Submission;
type Authorized<In, Caller> = Submitted<In> & { readonly caller: Caller };
type Awaitable<Value> = Value | Promise<Value>;

/** Authorizes the caller of an action. */
export type Authorize<In, Caller> = (request: Submitted<In>) => Awaitable<Result<Caller, Refusal>>;
type AskQuestion<In, Caller> = (request: Authorized<In, Caller> & SignedInUser) => Awaitable<Question | undefined>;
/** The question before an action; undefined for a missing object, and for a user who may not see the object. */
export type Ask<In> = (request: Submitted<In> & SignedInUser) => Promise<Question | undefined>;
/** The result in the cookie of the next page, and its text. */
export type Done = readonly [result: string, text: (view: View) => string];

interface CommonSpec<In, Caller> {
  readonly may: Authorize<In, Caller>;
  /** The way back, which is also the address with the result. Default: the address of the page. */
  readonly at?: (request: Submitted<In>) => string;
  /** Problem messages of the work. A refusal by `may` has the messages of the page, and `mayProblems`. */
  readonly problems?: (view: View) => ProblemMessages;
  readonly mayProblems?: (view: View) => ProblemMessages;
}

export interface ActionSpec<In, Caller, Value, State> extends CommonSpec<In, Caller> {
  /** The value of the button. */
  readonly step: string;
  /** True: the step of the button continues with a slash and a text, `item`. */
  readonly hasItem?: boolean;
  /** Whether the action needs a step-up after `may` (docs/contract.md, section 3.9). */
  readonly stepUp?: (request: Submitted<In>) => boolean;
  readonly run: (request: Authorized<In, Caller>) => Awaitable<Result<Value, Refusal>>;
  readonly done?: Done;
  /** The address with the result, as the list without a deleted object. Default: `at`. */
  readonly doneAt?: string;
  /** A special end in place of the result, as a secret that is displayed once. */
  readonly reply?: (request: Authorized<In, Caller>, value: Value) => Awaitable<PageReply>;
  /** The refused form with its values; undefined: the page of the refusal. `caller` undefined: refused by `may`. */
  readonly refused?: (
    request: Submitted<In> & SignedInUser & { readonly caller: Caller | undefined },
    refusal: Refusal,
  ) => Awaitable<State | undefined>;
}

/** An action with a question: by the caller of `may`, or by a reader (`asks`). */
export type ConfirmedSpec<In, Caller, Value, State> = ActionSpec<In, Caller, Value, State> & {
  readonly question: AskQuestion<In, Caller> | { readonly ask: Ask<In> };
};

/** An action on the selected rows of a list. `id` is the id of a row. */
export interface SelectionSpec<In, Caller> extends CommonSpec<In, Caller> {
  readonly step: SelectionStep;
  /** Authorizes the reader of the question. Default: `may`. */
  readonly mayAsk?: Authorize<In, Caller>;
  /** The displayed name of a row; undefined for a missing row. */
  readonly nameOf: (request: Authorized<In, Caller> & SignedInUser) => Promise<string | undefined>;
  readonly run: (request: Authorized<In, Caller>) => Promise<Result<unknown, Refusal>>;
}

/** A selection with refused rows. */
export interface RefusedRows {
  readonly outcome: PartialOutcome;
  readonly selection: Selection;
}

/** A refused action. */
export interface RefusedAction<State> {
  readonly refusal: Refusal;
  readonly problems: (view: View) => ProblemMessages;
  /** The refused form; undefined: the page of the refusal. */
  readonly form: (user: SignedInUser) => Promise<State | undefined>;
  /** The refused rows of a selection. */
  readonly rows?: RefusedRows;
}

export interface Action<In, State = FormState> {
  readonly step: string;
  readonly hasItem: boolean;
  readonly done?: Done | undefined;
  readonly at?: ((request: Submitted<In>) => string) | undefined;
  readonly ask?: Ask<In>;
  /** Executes the action. `place`: the way back. */
  readonly post: (request: Submitted<In>, place: string) => Promise<Result<PageReply, RefusedAction<State>>>;
}

/** An action with a question; `confirmPath` leads to the question. */
export interface ConfirmedAction<In, State = FormState> extends Action<In, State> {
  readonly ask: Ask<In>;
}

export interface SelectionAction<In, State = FormState> extends ConfirmedAction<In, State> {
  readonly step: SelectionStep;
}

/** The actions of a page by name. */
export type Actions<In, State = FormState> = Readonly<Record<string, Action<In, State>>>;

/** Whether the button of an action sent the form of a page that executes the form itself. */
export function isPressed(fields: Fields, { step }: { readonly step: string }): boolean {
  return fields.text("step") === step;
}

/** The declarations for pages with one kind of input. */
export function actionsOf<In extends ActionInput, State = FormState>() {
  return {
    action: <Caller, Value>(spec: ActionSpec<In, Caller, Value, State>): Action<In, State> => actionOf(spec),
    confirmed: <Caller, Value>(spec: ConfirmedSpec<In, Caller, Value, State>): ConfirmedAction<In, State> => {
      const { may, question } = spec;
      return { ...actionOf(spec), ask: typeof question === "function" ? asking(may, question) : question.ask };
    },
    /** The question of a reader with another permission than the action. */
    asks: <Reader>(may: Authorize<In, Reader>, question: AskQuestion<In, Reader>): { readonly ask: Ask<In> } => ({
      ask: asking(may, question),
    }),
    selection: <Caller>(spec: SelectionSpec<In, Caller>): SelectionAction<In, State> => selectionOf(spec),
  };
}

function asking<In, Caller>(may: Authorize<In, Caller>, question: AskQuestion<In, Caller>): Ask<In> {
  return async (request) => {
    const caller = await may(request);
    return caller.ok ? await question({ ...request, caller: caller.value }) : undefined;
  };
}

function actionOf<In extends ActionInput, Caller, Value, State>({
  step,
  hasItem = false,
  done,
  at,
  may,
  ...spec
}: ActionSpec<In, Caller, Value, State>): Action<In, State> {
  const refuse = (request: Submitted<In>, refusal: Refusal, caller?: Caller): Result<never, RefusedAction<State>> =>
    err({
      refusal,
      problems: (view) => (caller === undefined ? spec.mayProblems : spec.problems)?.(view) ?? {},
      form: async (user) => await spec.refused?.({ ...request, ...user, caller }, refusal),
    });
  return {
    step,
    hasItem,
    done,
    at,
    async post(request, place) {
      const caller = await may(request);
      if (!caller.ok) return refuse(request, caller.error);
      const authorized = { ...request, caller: caller.value };
      const steppedUp = spec.stepUp?.(request)
        ? requireStepUp(request.deps, request.call.caller.session)
        : ok(undefined);
      const outcome = steppedUp.ok ? await spec.run(authorized) : steppedUp;
      if (!outcome.ok) return refuse(request, outcome.error, caller.value);
      if (spec.reply) return ok(await spec.reply(authorized, outcome.value));
      const next = spec.doneAt ?? place;
      return ok(done ? seeResult(next, done[0]) : seeOther(next));
    },
  };
}

function selectionOf<In extends ActionInput, Caller, State>(
  spec: SelectionSpec<In, Caller>,
): SelectionAction<In, State> {
  const { step, at, may, mayAsk = may, problems } = spec;
  const named = (request: Authorized<In, Caller> & SignedInUser): Pick<Selection, "step" | "nameOf"> => ({
    step,
    nameOf: (id) => spec.nameOf({ ...request, id }),
  });
  return {
    step,
    hasItem: false,
    at,
    ask: asking(mayAsk, (request) => askSelection(request.view, request.fields, named(request))),
    async post(request, place) {
      const caller = await may(request);
      if (!caller.ok) return err(ofSelection(caller.error));
      const authorized = { ...request, caller: caller.value };
      const user = await request.user();
      const selection = {
        ...named({ ...authorized, ...user }),
        act: (id: string) => spec.run({ ...authorized, id }),
        messages: problems?.(user.view) ?? {},
      };
      const outcome = await actOnSelection(request.fields, selection);
      if (outcome.ok) return ok(seeResult(place, outcome.value));
      if ("code" in outcome.error) return err(ofSelection(outcome.error, selectionMessages));
      const [{ refused }] = outcome.error.refused;
      return err({ ...ofSelection(refused), rows: { outcome: outcome.error, selection } });
    },
  };
}

/** No form displays the refusal of a selection. */
function ofSelection(refusal: Refusal, problems: (view: View) => ProblemMessages = () => ({})) {
  return { refusal, problems, form: async () => undefined };
}

/** The action of a pressed button, with the item of its step. */
export function pressedAction<In, State>(
  actions: Actions<In, State>,
  pressed: string,
): readonly [action: Action<In, State> | undefined, item: string] {
  const slash = pressed.indexOf("/");
  const [step, item] = slash < 0 ? [pressed, ""] : [pressed.slice(0, slash), pressed.slice(slash + 1)];
  const action = Object.values(actions).find((each) => (each.hasItem ? each.step === step : each.step === pressed));
  return [action, item];
}

/** The text of the result of one of the actions; undefined for every other result. */
export function resultText(
  view: View,
  actions: Readonly<Record<string, Pick<Action<never>, "done">>>,
  result: string,
): string | undefined {
  const action = Object.values(actions).find(({ done }) => done?.[0] === result);
  return action?.done?.[1](view) ?? selectionResult(view, result);
}

/** The address of the question before an action. `page`: the address above the page of the question. */
export function confirmPath(
  page: string,
  { step }: Pick<ConfirmedAction<never>, "ask" | "step">,
  fields: Readonly<Record<string, string | undefined>> = {},
): string {
  return pathWith(`${page}/confirm`, { step, ...fields });
}

/** The action on an item, for a button or a link to a question. */
export function ofItem<Button extends { readonly step: string }>(action: Button, item: string): Button {
  return { ...action, step: `${action.step}/${item}` };
}

/** Authorizes a member of the session's organization with a permission. */
export function permission(name: Permission) {
  return ({ deps, call: { caller } }: { readonly deps: MembershipDeps; readonly call: AuthenticatedCall }) =>
    authorizePermission(deps, caller.session, caller.session.organizationId, name);
}

/** Authorizes each user for the user's own account. */
export function ownAccount({ call: { caller } }: Pick<ActionInput, "call">): Result<SessionView, never> {
  return ok(caller.session);
}
