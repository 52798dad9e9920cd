import { DevMailLink } from "../components/dev-mail-link.tsx";
import { useView } from "../view.tsx";

/** Embedded mode: instructions for the administrator of a service on the local machine. */
export function OwnerHint({ email }: { readonly email: string }) {
  const { t } = useView();
  return (
    <div class="note stack">
      <p>{t.account.ownerHint}</p>
      <p>
        <code>npm run service -- admin grant {email} owner</code>
      </p>
      <DevMailLink />
    </div>
  );
}
