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
  readonly requestId?: string | null | undefined;
}

function ErrorBody({ title, text, requestId }: ErrorProps) {
  const { t } = useView();
  return (
    <Stage>
      <h1>{title}</h1>
      <p>{text}</p>
      <RequestId id={requestId} />
      <a class="button primary wide" href="/">
        {t.error.home}
      </a>
    </Stage>
  );
}

/** For support, who can have the request explained by it (`/admin/requests`). */
export function RequestId({ id }: { readonly id: string | null | undefined }) {
  const { t } = useView();
  return id ? (
    <p class="soft">
      {t.error.requestId} <code class="whole-id">{id}</code>
    </p>
  ) : null;
}

/** A refusal that no page of its own shows. */
export function refusedPage(view: View, refusal: Refusal, requestId: string, own: OwnSentences = {}): Reply {
  const { t } = view;
  const failed = refusal.code === "internal_error";
  const title = refusal.code === "not_found" ? t.error.notFound : failed ? t.error.failed : t.error.title;
  const text = sentenceOf(view, refusal, own);
  const body = <ErrorBody title={title} text={text} requestId={requestId} />;
  return showPage(view, { title, body, ...refusedParts(refusal) });
}

/** What the pipeline shows of a refusal of its guards, and of a path that is no page. */
export function refusalShower(site: SiteDeps): ShowRefusal {
  return (refusal, request, requestId) => refusedPage(viewOf(site, clientLocale(request)), refusal, requestId);
}

/** `/error`: where something ends that has no page of its own. */
export function errorPage(site: SiteDeps): Page {
  return publicPage({
    path: "/error",
    get({ client }) {
      const view = viewOf(site, client.locale);
      const { title, text } = view.t.error;
      return showPage(view, { title, body: <ErrorBody title={title} text={text} /> });
    },
  });
}
