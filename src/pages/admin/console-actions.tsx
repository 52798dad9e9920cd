/** Pages of the console whose forms are actions (action.ts). */
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { PlatformUser } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { Reply } from "../../http/reply.ts";
import type { ActionInput } from "../action.ts";
import { type ActionFrame, type ActionPage, askAction, postAction } from "../action-page.tsx";
import type { ConsolePlace } from "../components/layout.tsx";
import type { Page, PageReply } from "../page.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "./console.tsx";

export interface ConsoleInput<Deps extends SignedInUserDeps = SignedInUserDeps> extends ActionInput {
  readonly deps: Deps;
  readonly call: ConsoleCall;
}

/** The request of a page of one object, `target`. */
export interface TargetInput<Deps extends SignedInUserDeps, Target> extends ConsoleInput<Deps> {
  readonly target: Target;
}

/** The frame of a page of the console. */
export function consoleFrame<In extends ConsoleInput>(at: ConsolePlace): ActionFrame<In> {
  return {
    user: async ({ call: { profile, view } }) => ({ profile, view }),
    refuse: ({ call }, _, refusal, own, place) => refuseConsole(call, refusal, place, own),
    display: ({ call }, _, page) => showConsole(call, { at, ...page }),
  };
}

/** Authorizes the caller of the page: an Admin for a form, a Viewer for a question. */
export function platformCaller({ call }: Pick<ConsoleInput, "call">): Result<PlatformUser, never> {
  return ok(call.admin);
}

/** Authorizes an Admin with a recent second factor. */
export function steppedUpAdmin({ deps, call }: ConsoleInput) {
  return authorizeSteppedUpAdmin(deps, call.caller.session);
}

interface ConsoleActionPage<In, State> extends ActionPage<In, State> {
  readonly path: string;
  /** The address of the questions; undefined without an action with a question. */
  readonly confirm?: { readonly path: string };
  readonly get: (input: In) => Promise<Reply>;
}

/** A page of the console, and the page of its questions. */
export function consoleActionPages<Deps extends SignedInUserDeps, State>(
  deps: Deps,
  page: ConsoleActionPage<ConsoleInput<Deps>, State>,
): readonly Page[] {
  return consolePagesOf(deps, page, (handle) => (call) => handle({ deps, call }));
}

interface TargetPage<Deps extends SignedInUserDeps, Target, State>
  extends ConsoleActionPage<TargetInput<Deps, Target>, State> {
  /** The address of the list of the objects, the way back from an unknown object. */
  readonly list: string;
  /** Reads the object of the path. */
  readonly read: (input: ConsoleInput<Deps>) => Promise<Result<Target, Refusal>>;
}

/** The pages of one object, as `consoleActionPages`. */
export function targetPages<Deps extends SignedInUserDeps, Target, State>(
  deps: Deps,
  page: TargetPage<Deps, Target, State>,
): readonly Page[] {
  return consolePagesOf<TargetInput<Deps, Target>, State>(deps, page, (handle) => async (call) => {
    const found = await page.read({ deps, call });
    return found.ok ? await handle({ deps, call, target: found.value }) : refuseConsole(call, found.error, page.list);
  });
}

type Handle<In> = (input: In) => Promise<PageReply>;

/** The pages with an input of their own. */
export function consolePagesOf<In extends ConsoleInput, State>(
  deps: SignedInUserDeps,
  page: ConsoleActionPage<In, State>,
  on: (handle: Handle<In>) => (call: ConsoleCall) => Promise<PageReply>,
): readonly Page[] {
  const { path, confirm, get } = page;
  return [
    consolePage(deps, { path, get: on(get), post: on((input) => postAction(page, input)) }),
    ...(confirm ? [consolePage(deps, { ...confirm, get: on((input) => askAction(page, input)) })] : []),
  ];
}
