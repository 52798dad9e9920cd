import type { Refusal } from "../base/problem.ts";
import { clientLocale } from "../http/client-locale.ts";
import type { ShowRefusal } from "../http/endpoint.ts";
import type { Reply } from "../http/reply.ts";
import { Stage } from "./components/layout.tsx";
import { showPage } from "./html.tsx";
import { type Page, publicPage } from "./page.ts";
import { type OwnSentences, refusedParts, sentenceOf } from "./sentences.ts";
import { type SiteDeps, useView, type View, viewOf } from "./view.tsx";

interface ErrorProps {
  readonly title: string;
  readonly text: string;
}

function ErrorBody({ title, text }: ErrorProps) {
  const { t } = useView();
  return (
    <Stage>
      <h1>{title}</h1>
      <p>{text}</p>
      <a class="button primary wide" href="/">
        {t.error.home}
      </a>
    </Stage>
  );
}

/** A refusal that no page of its own shows. */
export function refusedPage(view: View, refusal: Refusal, own: OwnSentences = {}): Reply {
  const { t } = view;
  const failed = refusal.code === "internal_error";
  const title = refusal.code === "not_found" ? t.error.notFound : failed ? t.error.failed : t.error.title;
  const body = <ErrorBody title={title} text={sentenceOf(view, refusal, own)} />;
  return showPage(view, { title, body, ...refusedParts(refusal) });
}

/** What the pipeline shows of a refusal of its guards, and of a path that is no page. */
export function refusalShower(site: SiteDeps): ShowRefusal {
  return (refusal, request, requestId) =>
    refusedPage(viewOf(site, { locale: clientLocale(request), requestId }), refusal);
}

/** `/error`: where something ends that has no page of its own. */
export function errorPage(site: SiteDeps): Page {
  return publicPage({
    path: "/error",
    get({ client }) {
      const view = viewOf(site, client);
      const { title, text } = view.t.error;
      return showPage(view, { title, body: <ErrorBody title={title} text={text} /> });
    },
  });
}
