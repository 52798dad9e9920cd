/**
 * The refusal of a form by the guards, as a page by GET. The refusal is sealed in the address, so that a flood of
 * refused forms stores nothing; the refusal has no personal data and needs no binding to a browser.
 */
import type { Refusal } from "../base/problem.ts";
import { open, seal } from "../base/seal.ts";
import type { Deps } from "../deps.ts";
import type { ShowRefusal } from "../http/endpoint.ts";
import type { Reply } from "../http/reply.ts";
import { searchOf } from "../http/search.ts";
import { KEPT_PAGE_LIFETIME_SECONDS } from "../limits/kept-page-limits.ts";
import { pathOf, pathWith, SHOWN } from "./addresses.ts";
import { refererPath } from "./return-to.ts";

/** A key of a kept page has no full stop. */
const PREFIX = "refused.";
/** Browsers and proxies accept addresses of 8 KiB; a longer way back is left out. */
const BACK_MAX_CHARACTERS = 2_000;

type ShownRefusalDeps = Pick<Deps, "clock" | "random" | "sealing">;

interface ShownRefusal {
  readonly refusal: Refusal;
  readonly requestId: string;
  /** The page of the form. */
  readonly back: string | undefined;
}

interface Sealed extends ShownRefusal {
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** The redirect to the page of a refusal. */
export function seeRefusal(deps: ShownRefusalDeps, request: Request, refusal: Refusal, requestId: string): Reply {
  const { code, message, reason, retryAfterSeconds } = refusal;
  const shown = { code, message, ...(reason ? { reason } : {}), ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
  const back = refererPath(request)?.slice(0, BACK_MAX_CHARACTERS + 1);
  const sealed: Sealed = {
    refusal: shown as Refusal,
    requestId,
    back: back === undefined || back.length > BACK_MAX_CHARACTERS ? undefined : back,
    at: deps.clock.now(),
  };
  const text = seal(deps.sealing, deps.random, identityOf(request), Buffer.from(JSON.stringify(sealed)));
  const location = pathWith(pathOf(request), { [SHOWN]: `${PREFIX}${text.toString("base64url")}` });
  return { status: 303, headers: { location }, cookies: [], refused: refusal };
}

/** The page of the refusal in the address; undefined for other addresses, and after ten minutes. */
export function displayRefusal(deps: ShownRefusalDeps, request: Request, show: ShowRefusal): Reply | undefined {
  const shown = shownRefusal(deps, request);
  if (!shown) return undefined;
  const reply = show(shown.refusal, request, shown.requestId, shown.back);
  // The request of the form has recorded the refusal.
  return { ...reply, refused: { ...shown.refusal, isRoutine: true } };
}

function shownRefusal(deps: ShownRefusalDeps, request: Request): ShownRefusal | undefined {
  const shown = searchOf(request).get(SHOWN);
  if (!shown?.startsWith(PREFIX)) return undefined;
  const opened = open(deps.sealing, identityOf(request), Buffer.from(shown.slice(PREFIX.length), "base64url"));
  if (!opened) return undefined;
  const { at, ...rest } = JSON.parse(opened.toString()) as Sealed;
  return deps.clock.now() - at < KEPT_PAGE_LIFETIME_SECONDS * 1000 ? rest : undefined;
}

function identityOf(request: Request): string {
  return `shown refusal ${pathOf(request).split("?", 1)[0]}`;
}
