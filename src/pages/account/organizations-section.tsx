/** The organizations of the user on `/account`: memberships, switching, joining by a domain, a further organization. */
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type SwitchableOrganization, switchable } from "../components/account-menu.tsx";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Row, Rows, Setting, Tag } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { switchTo } from "./account-actions.ts";
import { JoinableRows } from "./joinable-rows.tsx";
import { NEW_ORGANIZATION } from "./new-organization.tsx";

interface SectionProps {
  /** The page with the forms. */
  readonly action: string;
  readonly profile: Profile;
  /** The organization of the session. */
  readonly organizationId: string;
  readonly joinable: readonly JoinableOrganization[];
  readonly mayCreate: boolean;
}

export function OrganizationsSection({ action, profile, organizationId, joinable, mayCreate }: SectionProps) {
  const { t } = useView();
  return (
    <Setting title={t.account.organizations}>
      <Rows>
        {switchable(profile, t.account.personal).map((each) => (
          <OrganizationRow key={each.id} action={action} organization={each} isCurrent={each.id === organizationId} />
        ))}
        <JoinableRows action={action} joinable={joinable} />
        {mayCreate && (
          <li>
            <a class="button" href={NEW_ORGANIZATION}>
              {t.organizations.create}
            </a>
          </li>
        )}
      </Rows>
    </Setting>
  );
}

interface RowProps extends Pick<SectionProps, "action"> {
  readonly organization: SwitchableOrganization;
  readonly isCurrent: boolean;
}

function OrganizationRow({ action, organization: { id, name, slug, role }, isCurrent }: RowProps) {
  const { t } = useView();
  return (
    <Row
      tile={<Tile name={role ? "building" : "account"} />}
      title={name}
      {...(role ? { details: `${slug} · ${t.roles[role]}` } : {})}
    >
      {isCurrent ? (
        <Tag>{t.common.current}</Tag>
      ) : (
        <Form action={action}>
          <input type="hidden" name="organization_id" value={id} />
          <Button name="step" value={switchTo.step} label={t.account.switchTo({ name })}>
            {t.account.switch}
          </Button>
        </Form>
      )}
    </Row>
  );
}
