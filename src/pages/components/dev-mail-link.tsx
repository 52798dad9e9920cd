import { useView } from "../view.tsx";

/** Embedded mode: leads to the emails, which the service stores instead of sending. */
export function DevMailLink() {
  const { t, site } = useView();
  return site.config.pages.devMail ? (
    <p>
      <a href="/dev/mail">{t.account.devMail}</a>
    </p>
  ) : null;
}
