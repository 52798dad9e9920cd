/**
 * Declares a page: the endpoints of GET and POST, which run through the pipeline of every endpoint
 * (src/http/respond.ts). This file adds the continuation of a session without an access token, the CSRF rule of forms,
 * and refusals as pages.
 */

import { type Refusal, refusal } from "../base/problem.ts";
import { isUuid, NIL_UUID } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import type { AnyCall, Endpoint } from "../http/endpoint.ts";
import { checkFormOrigin } from "../http/form-csrf.ts";
import type { Caller } from "../http/guards/caller.ts";
import type { AddressLimit } from "../http/guards/limit.ts";
import { NO_INPUT } from "../http/input/read-input.ts";
import type { Upload } from "../http/input/upload.ts";
import type { Reply } from "../http/reply.ts";
import { searchOf } from "../http/search.ts";
import { pathOf, pathWith, SHOWN } from "./addresses.ts";
import { boundSessionOf, factorFirst } from "./bound-page.ts";
import { compressed } from "./compression.ts";
import { askStepUp } from "./continued-form.ts";
import { ANONYMOUS, anonymousCall, continueSession, enrolmentPath } from "./continued-session.ts";
import { resultIn } from "./cookies.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { readPageForm } from "./form-input.ts";
import { withoutFrames } from "./framed-page.ts";
import type { KeptPages } from "./kept-pages.ts";
import { type PageReply, seeOther, seeResult } from "./page-reply.ts";
import { pressOnce } from "./presses.ts";
import type { RefusalPages } from "./refusal-pages.ts";
import { withResultCookie } from "./result.ts";
import { HOME } from "./return-to.ts";
import { displayRefusal, seeRefusal } from "./shown-refusal.ts";

export { type Fields, type PageReply, seeOther, seeResult };

export interface PageCall extends Omit<AnyCall, "body" | "query" | "authorized" | "caller"> {
  /** Pages are for people: a program with an API key is anonymous. */
  readonly caller: Caller | undefined;
  readonly query: Fields;
  readonly form: Fields;
  /** The result of the preceding form, which a GET displays once; the empty text without a result. */
  readonly result: string;
  /** The refusal of a form that is too large, for a page that displays the refusal; no field is known yet. */
  readonly oversized?: Refusal | undefined;
  /** The refusal of the form of a signed-in user: the handler does not run. */
  readonly refused?: Refusal | undefined;
  /** The address of the page with the sent form; undefined in a GET, and for a form without a page of its own. */
  readonly formPage: string | undefined;
}

/** A call of a signed-in user. */
export interface AuthenticatedCall extends PageCall {
  readonly caller: Caller;
}

type Handler<Call> = (call: Call) => Promise<PageReply> | PageReply;

interface CommonSpec {
  readonly path: string;
  /** True: under the route prefix, where the browser sends the refresh cookie. */
  readonly prefixed?: boolean;
  /** True: a file that pages load, identical for every visitor (Endpoint.unsampled). */
  readonly unsampled?: boolean;
  /** Limit of the POST, by client address. Default: `pages`. */
  readonly limit?: AddressLimit;
  /** Limit of the GET, by client address, if the GET reads the database for an anonymous visitor. */
  readonly readLimit?: AddressLimit;
  /** True: the GET also counts, by client address and by caller, because the GET writes. */
  readonly limitsGet?: boolean;
  /** Default: `anonymous` on a public page, `served` with `ofOrganization`, refused by other pages. */
  readonly boundSession?: Endpoint["boundSession"];
  /**
   * The session that the page serves beyond complete sessions (docs/contract.md, section 33.4). Default: every session
   * on a public page, else none: a session that lacks the factor of its organization is redirected to the set-up.
   */
  readonly servesSession?: Endpoint["servesSession"] | "complete";
  /** The form is multipart, with a file. */
  readonly upload?: Upload;
  /**
   * Whether the form of this request may be as large as the form of a user, or have a file: a credential of the page is
   * live.
   */
  readonly admitsLargeForm?: (request: Request) => Promise<boolean>;
  /** True: loads in a frame of another origin, for a silent request; no browser displays the page there. */
  readonly servesFrames?: boolean;
  /** True: the form is for another page, with any content type; the body is not read. */
  readonly ignoresBody?: boolean;
}

/** A public page; `caller` is known if the access cookie is valid. */
export interface PublicPageSpec extends CommonSpec {
  /** True: a session with an expired access token is continued first, because the page differs for a signed-in user. */
  readonly continues?: boolean;
  /** The address after the continuation. Default: the address of the request. */
  readonly resumeAt?: (request: Request) => string;
  readonly get?: Handler<PageCall>;
  readonly post?: Handler<PageCall>;
  /**
   * The response to a form of another origin, where applications may send a form: the form has no effect. Default: a
   * refusal.
   */
  readonly foreign?: Handler<PageCall>;
}

/** A page of a signed-in user; an anonymous visitor is redirected to the sign-in and back. */
export interface AuthenticatedPageSpec extends CommonSpec {
  /** True: the page also serves a user without a verified address when the operator requires verification. */
  readonly servesUnverified?: boolean;
  /**
   * True: the forms act on the session's organization, and are refused if the user has switched to another organization
   * since.
   */
  readonly ofOrganization?: boolean;
  /** Displays the refusal of a form that is too large, without any effect: the hidden field was not read. */
  readonly tooLarge?: (call: AuthenticatedCall, refusal: Refusal) => Promise<Reply>;
  readonly get?: Handler<AuthenticatedCall>;
  readonly post?: Handler<AuthenticatedCall>;
}

export type PageDeps = Pick<Deps, "clock" | "config" | "csrfKey" | "random" | "sealing" | "state"> & {
  readonly keptPages: KeptPages;
};
/** A page without the shared dependencies, which `pages.ts` adds. */
export type Page = (deps: PageDeps, refusals: RefusalPages) => Endpoint[];

export function publicPage(spec: PublicPageSpec): Page {
  const bound = spec.continues ?? false;
  return (deps, refusals) =>
    endpointsOf(deps, { ...spec, bound, anonymous: true }, refusals, (request, caller) => {
      const query = searchOf(request);
      // The token of a mailed link is removed from the address first, and appears in no later address.
      const settled = caller || query.has(ANONYMOUS) || query.has("token");
      return spec.continues && !settled ? continueSession(deps, request, true, spec.resumeAt?.(request)) : undefined;
    });
}

export function authenticatedPage(spec: AuthenticatedPageSpec): Page {
  return (deps, refusals) =>
    endpointsOf(deps, { ...spec, bound: true, anonymous: false }, refusals, (request, caller) => {
      if (!caller) return continueSession(deps, request, false);
      if (caller.session.enrolmentOnly && spec.servesSession === undefined) return seeOther(enrolmentPath(caller));
      const waits = deps.config.requireVerifiedEmail && !caller.session.emailVerified && !spec.servesUnverified;
      return waits ? seeOther("/verify-email") : undefined;
    });
}

/** The response before the body is read. Undefined: the handler runs, and a page for signed-in users has a caller. */
type ReplyEarly = (request: Request, caller: Caller | undefined) => Reply | undefined;

/**
 * `bound`: the form acts on the session, so its hidden field must be bound to the session. Forms such as the sign-in
 * act on no session: the origin check suffices, also if a user signed in meanwhile in another tab.
 */
interface FormSpec extends CommonSpec, Pick<AuthenticatedPageSpec, "ofOrganization" | "tooLarge"> {
  readonly bound: boolean;
  /** The page serves anonymous visitors, whose forms are small. */
  readonly anonymous: boolean;
  readonly foreign?: Handler<PageCall>;
  readonly get?: Handler<AuthenticatedCall>;
  readonly post?: Handler<AuthenticatedCall>;
}

function endpointsOf(deps: PageDeps, spec: FormSpec, refusals: RefusalPages, replyFirst: ReplyEarly): Endpoint[] {
  const replyEarly: ReplyEarly = (request, caller) => replyFirst(request, caller) ?? factorFirst(spec, request, caller);
  const { get, post, limit = "pages", limitsGet, readLimit, foreign } = spec;
  const isForeign = (request: Request) => !checkFormOrigin(deps, request).ok;
  const getEndpoint = (handler: Handler<AuthenticatedCall>): Endpoint => ({
    ...pageEndpoint(deps, spec, "GET", refusals, async (call) => ok(await handler(call))),
    ...(limitsGet ? { limit, countsCaller: true } : readLimit ? { limit: readLimit } : {}),
    page: {
      checkOrigin: () => ok(undefined),
      replyEarly: (request, caller) =>
        displayRefusal(deps, request, refusals.showRefusal) ?? replyEarly(request, caller),
    },
    readInput: async (request) => ok({ ...inputOf(NO_PARAMETERS, request), parameters: searchOf(request) }),
  });
  const postEndpoint = (handler: Handler<AuthenticatedCall>): Endpoint => ({
    ...pageEndpoint(deps, spec, "POST", refusals, (call) => receive(spec, isForeign(call.request), call, handler)),
    limit,
    page: {
      checkOrigin: (request) => (foreign ? ok(undefined) : checkFormOrigin(deps, request)),
      replyEarly: (request, caller) => (foreign && isForeign(request) ? undefined : replyEarly(request, caller)),
    },
    readInput: async (request, caller) => {
      const isChecked = caller !== undefined && caller.via !== "key" && !(foreign && isForeign(request));
      const read = await readPageForm(deps, spec, request, isChecked ? caller : undefined);
      if (read.ok) return ok({ ...inputOf(read.value.fields, request), file: read.value.file });
      const input = inputOf(NO_PARAMETERS, request);
      if (spec.tooLarge && read.error.bound === "body_size") return ok({ ...input, oversized: read.error });
      return caller ? ok({ ...input, refused: read.error }) : read;
    },
  });
  // The page of a refused form needs an address by GET.
  const displayed = get ?? (post && (() => seeOther(HOME)));
  return [...(displayed ? [getEndpoint(displayed)] : []), ...(post ? [postEndpoint(post)] : [])];
}

/** The request as a page handler sees the request, beside the caller. */
function inputOf(form: URLSearchParams, request: Request) {
  const query = new URLSearchParams(searchOf(request));
  query.delete(SHOWN);
  return { ...NO_INPUT, body: fieldsOf(form), query: fieldsOf(query), parameters: form };
}

async function receive(
  { foreign, tooLarge }: FormSpec,
  isForeign: boolean,
  call: AuthenticatedCall,
  post: Handler<AuthenticatedCall>,
): Promise<Result<PageReply, Refusal>> {
  const { oversized, refused } = call;
  if (refused) return err(refused);
  if (foreign && isForeign) return ok(await foreign(call));
  if (oversized) return tooLarge ? ok(await tooLarge(call, oversized)) : err(oversized);
  return ok(await post(call));
}

function pageEndpoint(
  deps: PageDeps,
  { path, prefixed = false, unsampled = false, ...spec }: FormSpec,
  method: "GET" | "POST",
  { askChannels, showRefusal, showWithNavigation }: RefusalPages,
  run: (call: AuthenticatedCall) => Promise<Result<PageReply, Refusal>>,
): Omit<Endpoint, "readInput"> {
  const served = spec.servesSession ?? (spec.anonymous ? "exit" : undefined);
  const bound = boundSessionOf(spec);
  const isForm = method === "POST";
  return {
    method,
    ...{ path, prefixed, unsampled },
    operationId: `${method} ${path}`,
    docs: { clientMethod: null, section: null },
    tag: "Pages",
    summary: path,
    auth: "optional",
    servesUnverified: true,
    ...(bound ? { boundSession: bound } : {}),
    ...(served && served !== "complete" ? { servesSession: served } : {}),
    responses: {},
    problems: [],
    showRefusal: isForm ? (refused, request, id) => seeRefusal(deps, request, refused, id) : showRefusal,
    validateParams: (params) => ok(params),
    authorize: async () => ok(undefined),
    async handle(call) {
      // Assigned, not copied: `client` and `admission` are getters.
      const pageCall = Object.assign(call, {
        form: call.body,
        result: isForm ? "" : resultIn(call.cookies),
        formPage: isForm && spec.get ? pathOf(call.request) : undefined,
      }) as AuthenticatedCall;
      const { request, client } = call;
      const answer = async (): Promise<Result<PageReply, Refusal>> => {
        const kept = isForm ? undefined : await deps.keptPages.find(pageCall);
        const outcome = withoutFrames(spec, request, kept ? ok(kept) : await run(pageCall));
        if (!outcome.ok && !call.caller) return outcome;
        const page = outcome.ok
          ? await askChannels(askStepUp(deps, pageCall, outcome.value), pageCall)
          : await showWithNavigation(outcome.error, request, client.requestId ?? NIL_UUID);
        return ok(isForm ? await deps.keptPages.keep(pageCall, page) : page);
      };
      const answered = isForm ? await pressOnce(deps, pageCall, answer) : await answer();
      if (!answered.ok) return answered;
      return ok(await compressed(withResultCookie(deps.config, pageCall, answered.value), request));
    },
  };
}

const NO_PARAMETERS = new URLSearchParams();
const SEARCH_MAX_CHARACTERS = 200;

/** The page number of a list; 1 for text that is not a number. */
export function pageNumber(query: Fields, parameter = "page"): number {
  return Math.trunc(Number(query.text(parameter))) || 1;
}

/** The search term: bounded as in the API, without characters that PostgreSQL cannot compare. */
export function searchText(query: Fields): string {
  return query.text("q").slice(0, SEARCH_MAX_CHARACTERS).replaceAll("\0", "").toWellFormed().trim();
}

/** A UUID in canonical form; malformed text becomes an id that no row has. */
export function uuidIn(text: string): string {
  return isUuid(text) ? text.toLowerCase() : NIL_UUID;
}

/** The text of a key from the request; undefined for an unknown key, including inherited keys such as `constructor`. */
export function textAt(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** The refusal of a page for a missing object. */
export const NOTHING_THERE = refusal("not_found", "There is nothing here.");
export { anonymousCall, pathOf, pathWith, searchOf };

/** The member of a closed list with this text. */
export function memberIn<const Member extends string>(members: readonly Member[], text: string): Member | undefined {
  return members.find((member) => member === text);
}
