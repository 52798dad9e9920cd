import { useView } from "../view.tsx";
import { SecretToCopy } from "./secret.tsx";

interface OneTimeSecretProps {
  readonly title: string;
  readonly secret: string;
  /** The page that follows. */
  readonly next: string;
}

/**
 * Displays a key or secret in the response to the POST that created the key or secret; no later page displays the text.
 */
export function OneTimeSecretView({ title, secret, next }: OneTimeSecretProps) {
  const { t } = useView();
  return (
    <>
      <h1>{title}</h1>
      <div class="panel stack">
        <p class="note warn" role="status">
          {t.serviceAccounts.displayedOnce}
        </p>
        <SecretToCopy secret={secret} />
        <a class="button primary wide" href={next}>
          {t.serviceAccounts.kept}
        </a>
      </div>
    </>
  );
}
