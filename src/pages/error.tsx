import { LRUCache } from "lru-cache";
import type { Refusal } from "../base/problem.ts";
import { NIL_UUID } from "../base/random.ts";
import { clientLocale } from "../http/client-locale.ts";
import { ACCESS_COOKIE, readCookies } from "../http/cookies.ts";
import type { ShowMissing, ShowRefusal } from "../http/endpoint.ts";
import { type CallerDeps, findCaller } from "../http/guards/caller.ts";
import type { Reply } from "../http/reply.ts";
import { type IconName, Tile } from "./components/icon.tsx";
import { ConsoleShell, Shell, Stage, StageHead } from "./components/layout.tsx";
import { showPage } from "./html.tsx";
import { type Page, pathOf, publicPage } from "./page.ts";
import { messageOf, type ProblemMessages, refusedParts } from "./problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "./signed-in-user.ts";
import { languageOf } from "./texts/catalogue.ts";
import { type SiteDeps, useView, type View, viewOf } from "./view.tsx";

interface ErrorProps {
  readonly title: string;
  readonly text: string;
  readonly icon: IconName;
  /** The page for the way back, where it is not the page of the refused form. */
  readonly place?: string | undefined;
}

/** A signed-in user keeps the navigation, except during the sign-in to an application. */
function ErrorBody({ title, text, icon, place }: ErrorProps) {
  const { t, profile, application, inConsole, formPage } = useView();
  if (!profile || application) {
    return (
      <Stage>
        <StageHead title={title} icon={icon} />
        <p>{text}</p>
        <a class="button primary wide" href={place ?? "/"}>
          {place ? t.error.back : t.error.home}
        </a>
      </Stage>
    );
  }
  const Frame = inConsole ? ConsoleShell : Shell;
  const back = place ?? formPage;
  return (
    <Frame at={undefined} profile={profile}>
      <div class="empty">
        <Tile name={icon} />
        <h1>{title}</h1>
        <p>{text}</p>
        <a class="button primary" href={back ?? (inConsole ? "/admin" : "/account")}>
          {back ? t.error.back : t.error.home}
        </a>
      </div>
    </Frame>
  );
}

/** The page of a refusal that no specific page displays. `place`: the page of the refused form. */
export function refusedPage(view: View, refusal: Refusal, own: ProblemMessages = {}, place?: string): Reply {
  const { t } = view;
  const titles: Readonly<Partial<Record<Refusal["code"], string>>> = {
    not_found: t.error.notFound,
    internal_error: t.error.failed,
    ...t.error.titles,
  };
  const title = titles[refusal.code] ?? t.error.title;
  const icon = refusal.code === "not_found" ? "search" : "warning";
  const body = <ErrorBody title={title} text={messageOf(view, refusal, own)} icon={icon} place={place} />;
  return showPage(view, { title, body, ...refusedParts(refusal) });
}

/** Bound of the cache: languages, codes and values of `Retry-After` in normal operation; a page has about 3 KiB. */
const RENDERED_PAGES_MAX = 256;
/** A path of the console. */
const IN_CONSOLE = /^\/admin(?:[/?]|$)/;
/** Placeholder for the request id in a rendered page. */
const ANY_REQUEST_ID = NIL_UUID;
/** Placeholder for the way back in a rendered page: an address of `isLocalPath` that no page has. */
const ANY_PLACE = `/${NIL_UUID}/back`;

/**
 * The page of a refusal of the guards, and of an unknown path. A page is rendered once for each text: a flood of
 * requests receives this response, and rendering takes most of the time of a refusal.
 */
export function refusalShower(site: SiteDeps): ShowRefusal {
  const pages = new LRUCache<string, Reply>({ max: RENDERED_PAGES_MAX });
  return (refusal, request, requestId, back) => {
    const locale = clientLocale(request);
    // All values that determine the problem message of a refusal (`sentenceOf`).
    const key = [
      languageOf(locale),
      refusal.code,
      refusal.retryAfterSeconds,
      refusal.reason,
      back !== undefined,
    ].join();
    const place = back === undefined ? undefined : ANY_PLACE;
    const page = pages.get(key) ?? refusedPage(viewOf(site, { locale, requestId: ANY_REQUEST_ID }), refusal, {}, place);
    pages.set(key, page);
    const text = page.text?.replaceAll(ANY_PLACE, () => escapedAttribute(back ?? "/")) ?? "";
    return { ...page, text: text.replaceAll(ANY_REQUEST_ID, () => requestId), refused: refusal };
  };
}

function escapedAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * The page of a refusal after the limits, and of an unknown path. A user with a session keeps the navigation; every
 * other request, and every request while the database is unavailable, gets the page of a visitor.
 */
export function navigationShower(deps: SignedInUserDeps & CallerDeps, show: ShowRefusal): ShowMissing {
  return async (refused, request, requestId) => {
    const token = readCookies(request)[ACCESS_COOKIE];
    if (token === undefined) return show(refused, request, requestId);
    try {
      const caller = await findCaller(deps, "cookie", token);
      if (!caller.ok) return show(refused, request, requestId);
      const client = { locale: clientLocale(request), requestId };
      const { view, profile } = await signedInUser(deps, { caller: caller.value, client });
      const inConsole = profile.platformRole !== null && IN_CONSOLE.test(pathOf(request));
      return { ...refusedPage({ ...view, inConsole }, refused), refused };
    } catch {
      return show(refused, request, requestId);
    }
  };
}

/** `/error`: the page for a failed flow without a page. */
export function errorPage(site: SiteDeps): Page {
  return publicPage({
    boundSession: "before_factor",
    path: "/error",
    get({ client }) {
      const view = viewOf(site, client);
      const { title, text } = view.t.error;
      return showPage(view, { title, body: <ErrorBody title={title} text={text} icon="warning" /> });
    },
  });
}
