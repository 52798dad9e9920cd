import { useView } from "../view.tsx";

/** Embedded mode: instructions for the administrator of a service on the local machine. */
export function OwnerHint({ email }: { readonly email: string }) {
  const { t, site } = useView();
  return (
    <div class="note stack">
      <p>{t.account.ownerHint}</p>
      <p>
        <code>npm run service -- admin grant {email} owner</code>
      </p>
      {site.config.pages.devMail && (
        <p>
          <a href="/dev/mail">{t.account.devMail}</a>
        </p>
      )}
    </div>
  );
}
