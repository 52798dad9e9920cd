import type { Deps, EmailDeps } from "../../../deps.ts";
import {
  type EmailKind,
  emailBrand,
  emailKindOf,
  emailLanguages,
  previewEmail,
} from "../../../flows/email/preview-email.ts";
import { sendTestEmail } from "../../../flows/email/send-test-email.ts";
import { textReply } from "../../../http/reply.ts";
import { Button, Form } from "../../components/form.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { mailPolicy } from "../../mail-policy.ts";
import { NOTHING_THERE, type Page, pathWith, seeResult } from "../../page.ts";
import { useView, type View } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { BrandChoice, type BrandOffer, brandIn, brandOfferIn } from "./brand-choice.tsx";
import { EMAILS, type PreviewDeps } from "./page.tsx";

interface PreviewProps {
  readonly kind: EmailKind;
  readonly language: string;
  readonly languages: readonly string[];
  readonly email: ReturnType<typeof previewEmail>;
  readonly offer: BrandOffer;
  readonly acts: boolean;
}

function PreviewBody({ kind, language, languages, email, offer, acts }: PreviewProps) {
  const { t, language: reader } = useView();
  const names = new Intl.DisplayNames([reader], { type: "language" });
  const here = `${EMAILS}/${kind}`;
  const chosen = { language, brand: offer.chosen };
  return (
    <>
      <p class="crumbs">
        <a href={pathWith(EMAILS, { brand: offer.chosen })}>{t.emailPreviews.title}</a>
      </p>
      <div class="head">
        <div>
          <h1>{email.subject}</h1>
          <p>
            <span class="mono">{kind}</span> · {t.emailPreviews.sample}
          </p>
        </div>
        {acts && (
          <Form action={pathWith(here, chosen)}>
            <Button kind="primary" name="step" value="test">
              {t.emailPreviews.sendTest}
            </Button>
          </Form>
        )}
      </div>
      <Tabs
        label={t.emailPreviews.language}
        tabs={languages.map((each) => ({
          href: pathWith(here, { ...chosen, language: each }),
          text: names.of(each) ?? each,
          isCurrent: each === language,
        }))}
      />
      <BrandChoice path={here} offer={offer} kept={{ language }} />
      <dl class="facts">
        <div>
          <dt>{t.emailPreviews.subject}</dt>
          <dd lang={language}>{email.subject}</dd>
        </div>
        <div>
          <dt>{t.emailPreviews.preheader}</dt>
          <dd lang={language}>{email.preheader}</dd>
        </div>
      </dl>
      <div class="cols big">
        <section>
          <h2>{t.emailPreviews.html}</h2>
          <iframe class="preview" title={t.emailPreviews.html} src={pathWith(`${here}/html`, chosen)} sandbox="" />
        </section>
        <section>
          <h2>{t.emailPreviews.text}</h2>
          <pre class="wrap" lang={language}>
            {email.text}
          </pre>
        </section>
      </div>
    </>
  );
}

/** The language of the query if every e-mail has the language, else the language of the reader. */
function languageIn({ query }: ConsoleCall, { language }: View, languages: readonly string[]): string {
  return languages.find((each) => each === query.text("language")) ?? language;
}

/** The kind in the path, the language and the brand; undefined for an unknown kind. */
function chosenIn(deps: Pick<Deps, "outbox">, call: ConsoleCall) {
  const kind = emailKindOf(call.params.kind ?? "");
  const languages = emailLanguages(deps);
  return kind && { kind, languages, language: languageIn(call, call.view, languages), ...brandIn(call) };
}

/** `/admin/emails/:kind`: an e-mail with sample values in each language, and a test to the reader. */
export function emailPreviewPage(deps: PreviewDeps & EmailDeps & Pick<Deps, "outbox">): Page {
  return consolePage(deps, {
    path: "/admin/emails/:kind",
    async get(call: ConsoleCall) {
      const chosen = chosenIn(deps, call);
      if (!chosen) return refuseConsole(call, NOTHING_THERE, EMAILS);
      const { tenants, owner, ...choice } = chosen;
      const email = previewEmail(deps, { ...choice, brand: await emailBrand(deps, tenants) });
      const offer = await brandOfferIn(deps, call, owner);
      const done = call.result === "test" ? call.view.t.emailPreviews.testSent : undefined;
      return showConsole(call, {
        at: EMAILS,
        title: email.subject,
        body: <PreviewBody {...choice} email={email} offer={offer} acts={mayAct(call.admin)} />,
        done,
        inside: true,
        policy: { "frame-src": ["'self'"] },
      });
    },
    async post(call: ConsoleCall) {
      const chosen = chosenIn(deps, call);
      if (!chosen || call.form.text("step") !== "test") return refuseConsole(call, NOTHING_THERE, EMAILS);
      const { kind, language, tenants, owner } = chosen;
      const sent = await sendTestEmail(deps, { caller: call.admin, kind, language, tenants, client: call.client });
      const here = pathWith(`${EMAILS}/${kind}`, { language, brand: owner });
      if (sent.ok) return seeResult(here, "test");
      return refuseConsole(call, sent.error, here, { conflict: call.view.t.emailPreviews.notConfirmed });
    },
  });
}

/** `/admin/emails/:kind/html`: the HTML part, for the frame of the preview. */
export function emailHtmlPage(deps: PreviewDeps): Page {
  return consolePage(deps, {
    path: "/admin/emails/:kind/html",
    async get(call: ConsoleCall) {
      const chosen = chosenIn(deps, call);
      if (!chosen) return refuseConsole(call, NOTHING_THERE, EMAILS);
      const { html } = previewEmail(deps, { ...chosen, brand: await emailBrand(deps, chosen.tenants) });
      return textReply(200, "text/html; charset=utf-8", html, { headers: mailPolicy("'self'", []) });
    },
  });
}
