import type { Deps } from "../../../deps.ts";
import { EMAIL_KINDS, type EmailKind, emailBrand, previewEmail } from "../../../flows/email/preview-email.ts";
import { Tile } from "../../components/icon.tsx";
import { Rows } from "../../components/lists.tsx";
import { type Page, pathWith } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, showConsole } from "../console.tsx";
import { BrandChoice, type BrandOffer, brandIn, brandOfferIn } from "./brand-choice.tsx";

export const EMAILS = "/admin/emails";
export type PreviewDeps = SignedInUserDeps & Pick<Deps, "outbox">;

interface EmailsProps {
  readonly offer: BrandOffer;
  readonly emails: readonly { readonly kind: EmailKind; readonly subject: string; readonly preheader: string }[];
}

function EmailsBody({ emails, offer }: EmailsProps) {
  const { t } = useView();
  return (
    <>
      <header class="head">
        <h1>{t.emailPreviews.title}</h1>
        <p class="soft">{t.emailPreviews.lead}</p>
      </header>
      <BrandChoice path={EMAILS} offer={offer} kept={{}} />
      <Rows>
        {emails.map(({ kind, subject, preheader }) => (
          <li key={kind}>
            <Tile name="mail" />
            <div class="what">
              <strong>{subject}</strong>
              <small>{preheader}</small>
              <small class="mono">{kind}</small>
            </div>
            <a
              class="button"
              href={pathWith(`${EMAILS}/${kind}`, { brand: offer.chosen })}
              aria-label={t.emailPreviews.previewOf({ subject })}
            >
              {t.emailPreviews.preview}
            </a>
          </li>
        ))}
      </Rows>
    </>
  );
}

/** `/admin/emails`: every kind of email, with the subject in the language of the reader. */
export function emailsPage(deps: PreviewDeps): Page {
  return consolePage(deps, {
    path: EMAILS,
    async get(call: ConsoleCall) {
      const { language, t } = call.view;
      const { owner, tenants } = brandIn(call);
      const [brand, offer] = [await emailBrand(deps, tenants), await brandOfferIn(deps, call, owner)];
      const emails = EMAIL_KINDS.map((kind) => ({ kind, ...previewEmail(deps, { kind, language, brand }) }));
      const body = <EmailsBody emails={emails} offer={offer} />;
      return showConsole(call, { at: EMAILS, title: t.emailPreviews.title, body });
    },
  });
}
