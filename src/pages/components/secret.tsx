import { useView } from "../view.tsx";

interface CopyProps {
  readonly text: string;
  readonly copied: string;
}

/** A button that copies the content of `data-codes`. `CopyResult` announces the result. */
export function CopyButton({ text, copied }: CopyProps) {
  const { t } = useView();
  return (
    <button class="button" type="button" data-copy="" data-copied={copied} data-failed={t.common.copyFailed}>
      {text}
    </button>
  );
}

export function CopyResult() {
  return <p class="soft result" role="status" data-copy-result="" />;
}

/**
 * Displays a key or secret in the response to the POST that created the key or secret, with a button to copy the text.
 */
export function SecretToCopy({ secret }: { readonly secret: string }) {
  const { t } = useView();
  return (
    <>
      <ul class="codes mono" data-codes>
        <li>{secret}</li>
      </ul>
      <div class="actions scripted">
        <CopyButton text={t.serviceAccounts.copy} copied={t.serviceAccounts.copied} />
      </div>
      <CopyResult />
    </>
  );
}
