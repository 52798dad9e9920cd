import { useView } from "../view.tsx";

interface CopyProps {
  readonly text: string;
  readonly copied: string;
}

/** A button that copies what `data-codes` holds. What came of it is announced by `CopyResult`. */
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

/** A key or secret as the answer to the POST that made it, with a button that copies it. */
export function SecretToCopy({ secret }: { readonly secret: string }) {
  const { t } = useView();
  return (
    <>
      <ul class="codes mono" data-codes>
        <li>{secret}</li>
      </ul>
      <div class="actions scripted">
        <CopyButton text={t.machines.copy} copied={t.machines.copied} />
      </div>
      <CopyResult />
    </>
  );
}
