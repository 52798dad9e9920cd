/** The pages that links in e-mails lead to. A GET consumes nothing: scanners of mail follow links. */
import type { Reply } from "../http/reply.ts";
import { Stage } from "./components/layout.tsx";
import { linkCookie } from "./cookies.ts";
import { type PageCall, seeOther } from "./page.ts";
import { type SiteDeps, useView } from "./view.tsx";

/**
 * Moves the token of a mailed link from the address into a cookie of this page: it is then in no history, no Referer
 * and no screenshot. Undefined when the address has none.
 */
export function takeToken(site: SiteDeps, path: string, { query }: PageCall): Reply | undefined {
  if (!query.has("token")) return undefined;
  return seeOther(path, [linkCookie(site.config, path, query.text("token"))]);
}

/** A link that has expired or was used, with what to do instead. */
export function DeadLink(props: { readonly text: string; readonly action: string; readonly href: string }) {
  const { t } = useView();
  return (
    <Stage>
      <h1>{t.link.dead}</h1>
      <p>{props.text}</p>
      <a class="button primary wide" href={props.href}>
        {props.action}
      </a>
    </Stage>
  );
}
