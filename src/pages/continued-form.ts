/**
 * A form that was sent before the step-up that its action needs. The form waits in a sealed cookie, so that the action
 * goes on after the step-up without typing again; no address and no history contains a value.
 */
import { open, seal } from "../base/seal.ts";
import type { Deps } from "../deps.ts";
import type { Cookies } from "../http/cookies.ts";
import type { AnyCall } from "../http/endpoint.ts";
import { CSRF_FIELD, ORGANIZATION_FIELD } from "../http/form-csrf.ts";
import type { Caller } from "../http/guards/caller.ts";
import type { SessionView } from "../models/session/session.ts";
import { pathOf, stepUpPath } from "./addresses.ts";
import { clearedFormCookie, FORM_SECONDS, formCookie, sealedForm } from "./cookies.ts";
import { type PageReply, seeOther } from "./page-reply.ts";
import { PRESS_FIELD } from "./presses.ts";
import { HOME, localPath } from "./return-to.ts";

export const CONTINUED_FORM = "/step-up/continue";

/** A browser keeps at most 4,096 bytes of a cookie (RFC 6265, section 6.1). */
const SEALED_MAX_CHARACTERS = 3_500;
/** No secret leaves the form: such a form is typed again. */
const SECRET_FIELD = /^(?:\w+_)?(?:password|secret|code)$/;

/** The hidden fields of every form, which the continued form has anew. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([CSRF_FIELD, ORGANIZATION_FIELD, PRESS_FIELD]);

export interface ContinuedForm {
  /** The address of the form. */
  readonly action: string;
  /** The page with the form. */
  readonly page: string;
  readonly organizationId: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** The part of the call of a page. */
interface SentForm extends Pick<AnyCall, "file" | "parameters" | "request"> {
  readonly caller: Caller | undefined;
  readonly formPage: string | undefined;
}

type SealDeps = Pick<Deps, "clock" | "config" | "random" | "sealing">;

/**
 * A form that was refused for a missing step-up continues after the step-up (docs/contract.md, section 3.9). A page
 * displays a form that cannot wait in a cookie again, with its values and the link to the step-up.
 */
export function askStepUp(deps: SealDeps, call: SentForm, page: PageReply): PageReply {
  const { refused } = page;
  const { caller, file, request } = call;
  if (refused?.code !== "mfa_required" || request.method !== "POST" || !caller || file.length > 0) return page;
  const cookie = continuedFormCookie(deps, { ...pathsOf(call), parameters: call.parameters }, caller.session);
  return cookie ? { ...seeOther(stepUpPath(CONTINUED_FORM), [cookie]), refused } : page;
}

function pathsOf({ request, formPage }: SentForm): Pick<ContinuedForm, "action" | "page"> {
  return { action: pathOf(request), page: formPage ?? HOME };
}

/** The cookie with a form; undefined for a form with a secret, and for a long form. */
function continuedFormCookie(
  deps: SealDeps,
  { action, page, parameters }: Pick<ContinuedForm, "action" | "page"> & Pick<SentForm, "parameters">,
  { id, organizationId }: SessionView,
): string | undefined {
  const fields = [...parameters].filter(([name]) => !OF_THE_PAGE.has(name));
  if (fields.some(([name, value]) => value !== "" && SECRET_FIELD.test(name))) return undefined;
  const form: ContinuedForm = { action, page, organizationId, fields, at: deps.clock.now() };
  const sealed = seal(deps.sealing, deps.random, identityOf(id), Buffer.from(JSON.stringify(form))).toString(
    "base64url",
  );
  return sealed.length > SEALED_MAX_CHARACTERS ? undefined : formCookie(deps.config, sealed);
}

/** The waiting form of the session in its organization, for ten minutes. */
export function continuedFormIn(
  deps: Pick<Deps, "clock" | "sealing">,
  cookies: Cookies,
  { id, organizationId }: Pick<SessionView, "id" | "organizationId">,
): ContinuedForm | undefined {
  const opened = open(deps.sealing, identityOf(id), Buffer.from(sealedForm(cookies) ?? "", "base64url"));
  if (!opened) return undefined;
  const form = JSON.parse(opened.toString()) as ContinuedForm;
  const isFresh = deps.clock.now() - form.at < FORM_SECONDS * 1000;
  const isHere = form.organizationId === organizationId && localPath(form.action) !== undefined;
  return isFresh && isHere ? form : undefined;
}

export { clearedFormCookie };

function identityOf(sessionId: string): string {
  return `continued form ${sessionId}`;
}
