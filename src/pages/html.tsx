/** The document around a page, and the reply with the document. */
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Refusal } from "../base/problem.ts";
import { originOf, storedUrl } from "../base/stored-url.ts";
import { type ContentPolicy, policyHeaders, sourceHash } from "../http/content-policy.ts";
import { type Reply, textReply } from "../http/reply.ts";
import { directionOf, tagOf } from "../vocabulary/languages.ts";
import type { Island } from "./assets.ts";
import { type View, ViewProvider } from "./view.tsx";

/** The policy allows no inline script or style and no other origin (docs/pages.md). */
const PAGE_POLICY: ContentPolicy = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "form-action": ["'self'"],
  "base-uri": ["'none'"],
  "frame-ancestors": ["'none'"],
};

const HEADERS = { "cross-origin-opener-policy": "same-origin", vary: "accept-language, cookie" };

/** Directives of a single page. Frames, pictures and styles are decided here for all pages. */
export type PagePolicy = Omit<ContentPolicy, "frame-ancestors" | "img-src" | "style-src">;

export interface DisplayedPage {
  readonly title: string;
  readonly body: VNode;
  readonly islands?: readonly Island[];
  /** The result of the preceding form, in the words of the page. */
  readonly done?: string | undefined;
  readonly status?: number;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses of logos of registered applications, the only pictures of other origins. */
  readonly logos?: readonly (string | null)[];
  /** Directives that replace the directives of every page. */
  readonly policy?: PagePolicy;
  /** A rule beside the style sheets, which contains no text of a user. */
  readonly style?: string;
  /** The refusal that the page displays. */
  readonly refused?: Refusal;
  /** Without scripts the browser loads the page again after this time; islands do so without the browser. */
  readonly refreshSeconds?: number | undefined;
  /** Whether the page of a refusal displays the id of the request. Default: by status. */
  readonly withRequestId?: boolean;
  /** After a form the page is displayed once, and the address then displays its ordinary page. */
  readonly once?: boolean;
}

/** The parts that a handler adds to a page that is displayed again. */
export type DisplayedParts = Pick<DisplayedPage, "status" | "cookies" | "headers" | "refused">;

export function showPage(view: View, page: DisplayedPage): Reply {
  const { body, done, islands = [], status = 200, cookies = [], headers, refused } = page;
  const { withRequestId = needsSupport(status) } = page;
  const style = `${view.brand.style}${page.style ?? ""}`;
  const html = renderToString(
    <ViewProvider value={{ ...view, done, needsSupport: refused !== undefined && withRequestId }}>
      <Page
        view={view}
        title={titleOf(view, page)}
        islands={islands}
        style={style}
        refreshSeconds={page.refreshSeconds}
      >
        {body}
      </Page>
    </ViewProvider>,
  );
  const reply = textReply(status, "text/html; charset=utf-8", `<!doctype html>${html}`, {
    headers: { ...HEADERS, ...policyHeaders(policyOf(view, page, style)), ...headers },
    cookies,
    refused,
  });
  return page.once ? { ...reply, once: true } : reply;
}

/** A user cannot solve a refused permission or a failure alone; a typing error needs no request id. */
function needsSupport(status: number): boolean {
  return status === 403 || status >= 500;
}

/** The title states the result first: a screen reader reads the title of a new page. */
function titleOf({ t }: View, { title, done, refused }: DisplayedPage): string {
  if (refused) return t.error.inTitle({ title });
  return done ? `${done.replace(/\.$/, "")} – ${title}` : title;
}

/** The policy permits exactly the origins of the displayed logos, and exactly the rule of the displayed brand. */
function policyOf(view: View, page: DisplayedPage, style: string): ContentPolicy {
  const logos = [view.application?.logoUrl ?? null, ...(page.logos ?? [])];
  const origins = new Set(
    logos
      .map(storedUrl)
      .filter((url) => url !== undefined)
      .map(originOf),
  );
  return {
    ...PAGE_POLICY,
    "img-src": ["'self'", ...origins, "data:"],
    "style-src": ["'self'", ...(style === "" ? [] : [sourceHash(style)])],
    ...page.policy,
  };
}

interface PageProps {
  readonly view: View;
  readonly title: string;
  readonly islands: readonly Island[];
  readonly style: string;
  readonly refreshSeconds: number | undefined;
  readonly children: ComponentChildren;
}

/**
 * The referrer policy of the document replaces `no-referrer`: with `no-referrer`, browsers send `Origin: null` with a
 * form. No address of a page contains a secret, and other origins receive no path.
 */
function Page({ view, title, islands, style, refreshSeconds, children }: PageProps) {
  const { assets } = view.site;
  return (
    <html lang={tagOf(view.language)} dir={directionOf(view.language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="same-origin" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${view.brand.name}`}</title>
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={PAPER.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={PAPER.dark} />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href={view.brand.icon} />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link {...WHOLE_DOCUMENT} />
        <link rel="stylesheet" href={assets.style} />
        {assets.brandStyle && <link rel="stylesheet" href={assets.brandStyle} />}
        {refreshSeconds && (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {style && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {(["page", ...(view.profile ? (["palette"] as const) : []), ...islands] as const).map((name) => (
          <script key={name} type="module" src={assets.island(name)} />
        ))}
      </head>
      <body data-busy={view.t.common.busy}>
        {children}
        <span id="end" hidden />
      </body>
    </html>
  );
}

/** A slow device displays the small document as a whole: nothing moves while the rest is parsed. */
const WHOLE_DOCUMENT = { rel: "expect", href: "#end", blocking: "render" };

/** The background of pages (`--paper`), for the frame of the browser. */
const PAPER = { light: "#f9fafb", dark: "#0f1013" };
