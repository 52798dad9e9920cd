/** A new key of a directory, which is displayed once. */
import type { Profile } from "../../models/user/profile.ts";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { DIRECTORY } from "./paths.ts";

interface NewKeyProps {
  readonly secret: string;
  readonly baseUrl: string;
}

export function NewKeyBody({ profile, ...key }: NewKeyProps & { readonly profile: Profile }) {
  const { keyTitle } = useView().t.serviceAccounts;
  return (
    <Shell at={DIRECTORY} profile={profile} inside>
      <h1>{keyTitle}</h1>
      <NewKeyPanel {...key} place={DIRECTORY} />
    </Shell>
  );
}

/** A new key and the address of the directory. `place`: the page after the copy. */
export function NewKeyPanel({ secret, baseUrl, place }: NewKeyProps & { readonly place: string }) {
  const { t } = useView();
  const { displayedOnce, keyHead, kept } = t.serviceAccounts;
  return (
    <>
      <div class="panel stack">
        <p class="note warn" role="status">
          {displayedOnce}
        </p>
        <Rows>
          <CopyRow id="key" label={keyHead} text={secret} />
          <CopyRow id="base-url" label={t.provisioning.baseUrl} text={baseUrl} />
        </Rows>
        <a class="button primary wide" href={place}>
          {kept}
        </a>
      </div>
      <CopyResults />
    </>
  );
}
