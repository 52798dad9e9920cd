/** Shared parts of the platform console: the role check, the frame, refusals. */
import type { VNode } from "preact";
import type { Refusal } from "../../base/problem.ts";
import { authorizePlatformRole, type PlatformUser } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { AddressLimit } from "../../http/guards/limit.ts";
import type { Upload } from "../../http/input/upload.ts";
import type { Reply } from "../../http/reply.ts";
import type { PlatformRole } from "../../models/user/platform-role.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import type { Island } from "../assets.ts";
import { type ConsolePlace, ConsoleShell } from "../components/layout.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, type PagePolicy, showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { type AuthenticatedCall, authenticatedPage, type Page, type PageReply, pathOf, seeOther } from "../page.ts";
import { deploymentBrand } from "../page-brand.ts";
import type { ProblemMessages } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";

/** A call of a user with a platform role: Viewer or higher for GET, Admin or higher for POST. */
export interface ConsoleCall extends AuthenticatedCall {
  readonly profile: Profile;
  readonly view: View;
  readonly admin: PlatformUser;
}

type ConsoleHandler = (call: ConsoleCall) => Promise<PageReply> | PageReply;

interface ConsolePageSpec {
  readonly path: string;
  readonly limit?: AddressLimit;
  /** True: the GET also counts against the limits, because the GET is expensive. */
  readonly limitsGet?: boolean;
  readonly upload?: Upload;
  /** Displays the refusal of an upload that is too large. */
  readonly tooLarge?: (call: ConsoleCall, refusal: Refusal) => Promise<Reply>;
  readonly get?: ConsoleHandler;
  readonly post?: ConsoleHandler;
}

export function consolePage(deps: SignedInUserDeps, spec: ConsolePageSpec): Page {
  const { path, limit, limitsGet, upload, tooLarge, get, post } = spec;
  const enter = (least: PlatformRole, handler: ConsoleHandler) => {
    return async (call: AuthenticatedCall) => {
      const [who, admin] = await Promise.all([
        signedInUser(deps, call),
        authorizePlatformRole(deps, call.caller.session, least),
      ]);
      const { console } = who.view.t;
      const forbidden = who.profile.platformRole === null ? console.forbidden : console.refused;
      if (!admin.ok) {
        if (asksStepUp(admin.error)) return { ...seeOther(stepUpPath(pathOf(call.request))), refused: admin.error };
        return refusedPage(who.view, admin.error, { forbidden });
      }
      const view = { ...who.view, inConsole: true, brand: deploymentBrand(deps) };
      return await handler({ ...call, ...who, view, admin: admin.value, client: call.client });
    };
  };
  return authenticatedPage({
    path,
    ...(limit ? { limit } : {}),
    ...(limitsGet ? { limitsGet } : {}),
    ...(upload ? { upload } : {}),
    ...(tooLarge ? { tooLarge: (call, refused) => enter("admin", (entered) => tooLarge(entered, refused))(call) } : {}),
    ...(get ? { get: enter("viewer", get) } : {}),
    ...(post ? { post: enter("admin", post) } : {}),
  });
}

/** Whether actions are offered. The flows decide again. */
export function mayAct({ role }: PlatformUser): boolean {
  return role !== "viewer";
}

/**
 * The edit form of an administrator (`edit`), of an administrator before a step-up (`see`), of a Viewer (`none`). All
 * further actions of a page are displayed unless `none`, and ask for the step-up when pressed.
 */
export type EditPermission = "edit" | "see" | "none";

/** What an edit form needs before display, so that a step-up discards no typed values. */
export async function editPermission(
  deps: Parameters<typeof authorizeSteppedUpAdmin>[0],
  { admin, caller }: ConsoleCall,
): Promise<EditPermission> {
  if (!mayAct(admin)) return "none";
  return (await authorizeSteppedUpAdmin(deps, caller.session)).ok ? "edit" : "see";
}

interface Part extends DisplayedParts {
  readonly at: ConsolePlace;
  readonly title: string;
  readonly body: VNode;
  readonly done?: string | undefined;
  /** True: the page is below the place in the navigation, not the place itself. */
  readonly inside?: boolean;
  /** As in `FrameProps`. */
  readonly below?: string;
  readonly islands?: readonly Island[];
  /** As in `DisplayedPage`. */
  readonly refreshSeconds?: number | undefined;
  /** As in `DisplayedPage`. */
  readonly style?: string;
  /** As in `DisplayedPage`. */
  readonly policy?: PagePolicy;
}

export function showConsole(call: ConsoleCall, { at, title, body, inside, below, ...rest }: Part): Reply {
  const { view, profile } = call;
  const framed = (
    <ConsoleShell at={at} profile={profile} inside={inside ?? false} below={below}>
      {body}
    </ConsoleShell>
  );
  return showPage(view, {
    title: view.t.shell.titleInConsole({ title: titleOfList(call, title) }),
    body: framed,
    ...rest,
  });
}

/**
 * A refusal that no form of the page displays. A missing step-up redirects to the step-up page, which returns to
 * `place`, for a user without a second factor after the set-up of a factor.
 */
export function refuseConsole(call: ConsoleCall, refusal: Refusal, place: string, own: ProblemMessages = {}): Reply {
  const { view } = call;
  if (asksStepUp(refusal)) return { ...seeOther(stepUpPath(place)), refused: refusal };
  const back = call.request.method === "POST" ? place : undefined;
  return refusedPage(view, refusal, { forbidden: view.t.console.refused, ...own }, back);
}
