import { useView } from "../view.tsx";

/** A key or secret as the answer to the POST that made it, with a button that copies it. */
export function SecretToCopy({ secret }: { readonly secret: string }) {
  const { t } = useView();
  return (
    <>
      <ul class="codes mono" data-codes>
        <li>{secret}</li>
      </ul>
      <div class="actions scripted">
        <button class="button" type="button" data-copy={t.machines.copied}>
          {t.machines.copy}
        </button>
      </div>
    </>
  );
}
