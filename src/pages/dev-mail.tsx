import type { Deps } from "../deps.ts";
import { readMailFolder } from "../flows/operations/read-mail-folder.ts";
import { isFromThisMachine } from "../http/client-address.ts";
import { textReply } from "../http/reply.ts";
import { refusedPage } from "./error.tsx";
import { showPage } from "./html.tsx";
import { mailPolicy } from "./mail-policy.ts";
import { NOTHING_THERE, type Page, type PageCall, publicPage } from "./page.ts";
import { type SiteDeps, useView, viewOf } from "./view.tsx";

type Mails = Awaited<ReturnType<typeof readMailFolder>>;

function MailText({ text }: { readonly text: string }) {
  const parts = text.trim().split(/(https?:\/\/\S+)/);
  return <p class="mail">{parts.map((part) => (/^https?:/.test(part) ? <a href={part}>{part}</a> : part))}</p>;
}

function DevMailBody({ mails }: { readonly mails: Mails }) {
  const { t, dates } = useView();
  return (
    <main class="main alone">
      <h1>{t.devMail.title}</h1>
      <p class="soft">{t.devMail.lead}</p>
      {mails.length === 0 && <p class="note">{t.devMail.none}</p>}
      {mails.map(({ id, to, subject, text, at }) => (
        <article key={id} class="panel stack">
          <h2>{subject}</h2>
          <p class="soft">
            {to} · <time dateTime={at.toISOString()}>{dates.relative(at)}</time>
          </p>
          <MailText text={text} />
          <p class="soft">
            <a href={`/dev/mail/${id}`}>{t.devMail.html}</a>
          </p>
        </article>
      ))}
    </main>
  );
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** By the peer too: a client writes the Host header, and a proxy on this machine has clients elsewhere. */
function isLocal({ request, client }: PageCall): boolean {
  // Another site could resolve a host name to this machine and read the emails of a developer (DNS rebinding).
  return LOOPBACK.test(request.headers.get("host") ?? "") && isFromThisMachine(request, client.ipAddress);
}

/** `/dev/mail`: the emails in embedded mode. The page exists only while HOST is a loopback address. */
export function devMailPage(deps: SiteDeps & Pick<Deps, "config">): Page {
  return publicPage({
    path: "/dev/mail",
    async get(call) {
      const view = viewOf(deps, call.client);
      if (!isLocal(call)) return refusedPage(view, NOTHING_THERE);
      return showPage(view, { title: view.t.devMail.title, body: <DevMailBody mails={await readMailFolder(deps)} /> });
    },
  });
}

/** `/dev/mail/:id`: the HTML part of an email. */
export function devMailHtmlPage(deps: SiteDeps & Pick<Deps, "config">): Page {
  return publicPage({
    path: "/dev/mail/:id",
    async get(call) {
      const mail = (await readMailFolder(deps)).find(({ id }) => id === call.params.id);
      if (!mail || !isLocal(call)) {
        return refusedPage(viewOf(deps, call.client), NOTHING_THERE);
      }
      const headers = mailPolicy("'none'", ["allow-popups", "allow-top-navigation"]);
      return textReply(200, "text/html; charset=utf-8", mail.html, { headers });
    },
  });
}
