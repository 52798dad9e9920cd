/**
 * Post/Redirect/Get for every page (docs/pages.md, "Pages by redirect"): the page that a form produces is kept for ten
 * minutes, and the browser gets the page by GET. Reload, Back and Forward display the page again and send no form.
 *
 * The page is sealed in the state that replicas share, under a random key in the address together with a secret in a
 * cookie, the path and the session: another browser, another path and another user find nothing. Lost: the address
 * displays its ordinary page.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { stringifySetCookie } from "cookie";
import type { Refusal } from "../base/problem.ts";
import { open, seal } from "../base/seal.ts";
import type { Deps } from "../deps.ts";
import { type Cookies, endsSession } from "../http/cookies.ts";
import type { Caller } from "../http/guards/caller.ts";
import type { Reply } from "../http/reply.ts";
import { searchOf } from "../http/search.ts";
import {
  KEPT_PAGE_LIFETIME_SECONDS,
  KEPT_PAGE_MAX_BYTES,
  KEPT_PAGE_OVERHEAD_BYTES,
  KEPT_PAGES_BYTES_PER_MINUTE_MAX,
} from "../limits/kept-page-limits.ts";
import { pathOf, pathWith, SHOWN } from "./addresses.ts";
import { anonymousCall } from "./continued-session.ts";
import type { Fields } from "./fields.ts";
import type { PageReply } from "./page-reply.ts";
import { carried, returnTo } from "./return-to.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Fast: the page is stored for minutes. */
const LEVEL = 1;
/** The secret of the browser. The response to a form sets the cookie, so that presses are compared without it. */
export const KEPT_PAGE_COOKIE = "service_page";
const KEY_BYTES = 16;
const SECRET_BYTES = 24;
const MINUTE_MS = 60_000;
const GONE = Buffer.alloc(0);

type KeptPagesDeps = Pick<Deps, "clock" | "config" | "random" | "sealing" | "state">;

/** The request of the form, or of the kept page. */
export interface KeptCall {
  readonly request: Request;
  readonly cookies: Cookies;
  readonly caller: Caller | undefined;
}

export interface FormCall extends KeptCall {
  readonly query: Fields;
  readonly form: Fields;
}

export interface KeptPages {
  /**
   * The redirect to the page of a form. The page itself if the page cannot be kept: the shared state is away, the page
   * is too large, or this replica keeps too many pages already.
   */
  readonly keep: (call: FormCall, page: PageReply) => Promise<PageReply>;
  /** The kept page of the address; undefined for the ordinary page. */
  readonly find: (call: KeptCall) => Promise<Reply | undefined>;
}

interface Place {
  readonly key: string;
  readonly secret: string;
  readonly path: string;
  readonly sessionId: string;
}

type Stored = Required<Pick<Reply, "headers" | "status" | "text">> & Pick<Reply, "once" | "refused">;

export function keptPages(deps: KeptPagesDeps): KeptPages {
  const budget = perMinute(deps);
  return {
    async keep(call, page) {
      const { status, headers, text, once, cookies, refused, result, claims } = page;
      if (text === undefined || !isDisplayed(page) || budget.isSpent()) return page;
      const secret = call.cookies[KEPT_PAGE_COOKIE] ?? deps.random.bytes(SECRET_BYTES).toString("base64url");
      const key = deps.random.bytes(KEY_BYTES).toString("base64url");
      // After the end of the session, as on the way to the provider's sign-out, the visitor is anonymous.
      const ended = endsSession(cookies);
      const place = placeOf(ended ? { ...call, caller: undefined } : call, key, secret);
      // The request of the form has recorded the refusal.
      const displayed = refused && routine(refused);
      const stored: Stored = { status, headers, text, refused: displayed, ...(once ? { once } : {}) };
      const packed = await compress(JSON.stringify(stored), { level: LEVEL });
      const sealed = seal(deps.sealing, deps.random, identityOf(place), packed);
      if (sealed.length > KEPT_PAGE_MAX_BYTES || !budget.spend(sealed.length)) return page;
      const isKept = await deps.state.keep(storageKey(place), sealed, KEPT_PAGE_LIFETIME_SECONDS * 1000);
      if (!isKept) return page;
      const kept = pathWith(pathOf(call.request), { return_to: wayBack(call), [SHOWN]: key });
      const location = ended ? anonymousCall(kept) : kept;
      return {
        ...{ status: 303, headers: { location }, cookies: [...cookies, secretCookie(deps, secret)], refused, claims },
        ...(result === undefined ? {} : { result }),
        ...(status < 400 && !once ? { lasts: true } : {}),
      };
    },
    async find(call) {
      const key = searchOf(call.request).get(SHOWN);
      const secret = call.cookies[KEPT_PAGE_COOKIE];
      if (!key || !secret) return undefined;
      const place = placeOf(call, key, secret);
      const sealed = await deps.state.kept(storageKey(place));
      const packed = sealed && open(deps.sealing, identityOf(place), sealed);
      if (!packed) return undefined;
      const { once, ...page } = JSON.parse((await decompress(packed)).toString()) as Stored;
      if (once) await deps.state.keep(storageKey(place), GONE, 1);
      return { ...page, cookies: [] };
    },
  };
}

/** A page for the window of the browser: no redirect, and no file. */
function isDisplayed({ status, headers }: Reply): boolean {
  const isPage = headers["content-type"]?.startsWith("text/html") ?? false;
  return isPage && (status < 300 || status >= 400) && headers["content-disposition"] === undefined;
}

/** The form has the way back in a field: the address needs it for the time after the lifetime of the page. */
function wayBack({ query, form }: FormCall): string | undefined {
  return query.has("return_to") ? undefined : carried(returnTo(form));
}

/** The refusal of the form, as the page displays it. */
function routine({ code, message }: Refusal): Refusal {
  return { code, message, isRoutine: true } as Refusal;
}

function placeOf({ request, caller }: KeptCall, key: string, secret: string): Place {
  const path = pathOf(request).split("?", 1)[0] ?? "/";
  return { key, secret, path, sessionId: caller?.session.id ?? "" };
}

function identityOf({ key, secret, path, sessionId }: Place): string {
  return `kept page ${JSON.stringify([key, secret, path, sessionId])}`;
}

function storageKey(place: Place): string {
  return `service:page:${createHash("sha256").update(identityOf(place)).digest("base64url")}`;
}

/** The secret of the browser outlives each page of the browser. */
function secretCookie({ config }: Pick<Deps, "config">, value: string): string {
  return stringifySetCookie({
    name: KEPT_PAGE_COOKIE,
    value,
    path: "/",
    maxAge: KEPT_PAGE_LIFETIME_SECONDS,
    httpOnly: true,
    sameSite: "lax",
    secure: config.cookies.secure,
  });
}

/** A flood of forms must not fill the shared state: the bytes that a replica keeps in a minute are bounded. */
function perMinute({ clock }: Pick<Deps, "clock">) {
  let endsAt = 0;
  let left = 0;
  const renew = () => {
    if (clock.monotonic() < endsAt) return;
    endsAt = clock.monotonic() + MINUTE_MS;
    left = KEPT_PAGES_BYTES_PER_MINUTE_MAX;
  };
  return {
    /** Before a page is compressed. */
    isSpent() {
      renew();
      return left <= KEPT_PAGE_OVERHEAD_BYTES;
    },
    /** False: the page has too many bytes for the rest of the minute. */
    spend(bytes: number) {
      renew();
      const cost = bytes + KEPT_PAGE_OVERHEAD_BYTES;
      if (cost > left) return false;
      left -= cost;
      return true;
    },
  };
}
