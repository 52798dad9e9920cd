import { err, ok } from "../../../base/result.ts";
import { type EmailKind, emailBrand, previewEmail } from "../../../flows/email/preview-email.ts";
import { type Reply, textReply } from "../../../http/reply.ts";
import { resultText } from "../../action.ts";
import { Button, Form } from "../../components/form.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { mailPolicy } from "../../mail-policy.ts";
import { NOTHING_THERE, type Page, pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { chosenIn, type EmailPreviewInput, emailPreviewActions, sendTest } from "./actions.ts";
import { BrandChoice, type BrandOffer, brandOfferIn } from "./brand-choice.tsx";
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
            <Button kind="primary" name="step" value={sendTest.step}>
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

/** `/admin/emails/:kind`: an email with sample values in each language, and a test to the reader. */
export function emailPreviewPages(deps: EmailPreviewInput["deps"]): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/emails/:kind",
    list: EMAILS,
    async read({ call }) {
      const chosen = chosenIn(deps, call);
      return chosen ? ok(chosen) : err(NOTHING_THERE);
    },
    frame: consoleFrame(EMAILS),
    actions: emailPreviewActions,
    place: ({ target: { kind, language, owner } }) => pathWith(`${EMAILS}/${kind}`, { language, brand: owner }),
    get: show,
  });
}

async function show({ deps, call, target }: EmailPreviewInput): Promise<Reply> {
  const { tenants, owner, ...choice } = target;
  const email = previewEmail(deps, { ...choice, brand: await emailBrand(deps, tenants) });
  const offer = await brandOfferIn(deps, call, owner);
  return showConsole(call, {
    at: EMAILS,
    title: email.subject,
    body: <PreviewBody {...choice} email={email} offer={offer} acts={mayAct(call.admin)} />,
    done: resultText(call.view, emailPreviewActions, call.result),
    inside: true,
    policy: { "frame-src": ["'self'"] },
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
