/** The company accounts of members, for the administrators of the organization and for the console. */

import type { Listing } from "../../database/listing.ts";
import type { IdentityListItem } from "../../models/sso-identity/identity-list.ts";
import { confirmPath } from "../action.ts";
import { EmptyBox, Pages, Section, Time } from "../components/lists.tsx";
import { Cell, MenuCell, Table } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { resetMemberFactor, unlinkAccount } from "./actions.tsx";
import { SSO } from "./paths.ts";

interface IdentitiesProps {
  readonly identities: Listing<IdentityListItem>;
  /** The path of the page with the list. */
  readonly path: string;
  readonly canEdit: boolean;
}

export function IdentitiesSection({ identities, path, canEdit }: IdentitiesProps) {
  const { t } = useView();
  const { title, membersLead, noMembers, linkedBy, subject } = t.companyAccounts;
  const { person, lastActive, actions } = t.directory;
  const columns = [person, subject, linkedBy, lastActive];
  return (
    <Section title={title} lead={membersLead}>
      {identities.items.length === 0 ? (
        <EmptyBox icon="users" text={noMembers} />
      ) : (
        <Table label={title} columns={columns} {...(canEdit ? { actions } : {})}>
          {identities.items.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} canEdit={canEdit} />
          ))}
        </Table>
      )}
      <Pages {...identities} path={path} />
    </Section>
  );
}

function IdentityRow({ identity, canEdit }: { readonly identity: IdentityListItem; readonly canEdit: boolean }) {
  const { t } = useView();
  const { id, userId, email, subject, linkedBy, lastUsedAt } = identity;
  const { origins, resetFactor, ...labels } = t.companyAccounts;
  return (
    <tr>
      <Cell>{email}</Cell>
      <Cell label={labels.subject}>
        <span class="mono">{subject}</span>
      </Cell>
      <Cell label={labels.linkedBy}>{origins[linkedBy]}</Cell>
      <Cell label={t.directory.lastActive}>
        <Time at={lastUsedAt} />
      </Cell>
      {canEdit && (
        <MenuCell label={t.directory.actionsFor({ name: email })}>
          <a href={confirmPath(SSO, resetMemberFactor, { id: userId })} data-confirm="yes">
            {resetFactor}
          </a>
          <a class="bad" href={confirmPath(SSO, unlinkAccount, { id })} data-confirm="yes">
            {t.security.unlink}
          </a>
        </MenuCell>
      )}
    </tr>
  );
}
