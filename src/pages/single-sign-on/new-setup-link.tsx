/** A new set-up link, which is displayed once. */
import type { CreatedSetupLink } from "../../flows/sso/setup-links/create.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { SSO } from "./paths.ts";

interface NewLinkProps {
  readonly profile: Profile;
  readonly created: CreatedSetupLink;
  /** The recipient of the mailed link. */
  readonly email: string | undefined;
}

export function NewSetupLinkBody({ profile, created, email }: NewLinkProps) {
  const { linkKept, linkLead, linkTitle, mailed } = useView().t.ssoSetup;
  return (
    <Shell at={SSO} profile={profile} inside>
      <h1>{linkTitle}</h1>
      <div class="panel stack">
        <p class="note warn" role="status">
          {linkLead}
        </p>
        {email !== undefined && <p>{mailed({ email })}</p>}
        <Rows>
          <CopyRow id="setup-link" label={linkTitle} text={created.url} />
        </Rows>
        <a class="button primary wide" href={`${SSO}#setup-links`}>
          {linkKept}
        </a>
      </div>
      <CopyResults />
    </Shell>
  );
}
