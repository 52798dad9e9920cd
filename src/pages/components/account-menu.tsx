import type { Profile, ProfileOrganization } from "../../models/user/profile.ts";
import { personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import { useView } from "../view.tsx";
import { Form } from "./form.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { initialsOf, Picture } from "./picture.tsx";

/** The step of the form that moves the session to another organization, an action of `/account`. */
export const SWITCH = "switch";

/** Bound of the menu; `/account` displays every organization. */
const ORGANIZATIONS_MAX = 10;

/** A link to the other part of the service: the console, or the account. */
export interface OtherPart {
  readonly href: string;
  readonly text: string;
  readonly icon: IconName;
}

interface AccountMenuProps {
  readonly profile: Profile;
  readonly other: OtherPart | undefined;
}

/** The name of the session's organization; undefined for a user without an organization. */
export function organizationOf(profile: Profile, organizationId: string | undefined): string | undefined {
  return profile.organizations.find(({ id }) => id === organizationId)?.name;
}

/** The organizations of the switch: teams, and last the personal account of a user with a team. */
export function switchable(profile: Profile, personal: string): readonly SwitchableOrganization[] {
  const { organizations, hasPersonalOrganization, userId } = profile;
  if (!hasPersonalOrganization || organizations.length === 0) return organizations;
  return [...organizations, { id: personalOrganizationId(userId), name: personal }];
}

/** A team, or the personal account, which has no slug. */
export type SwitchableOrganization = Pick<ProfileOrganization, "id" | "name"> & Partial<ProfileOrganization>;

/** The organizations of the user, the other part of the service, and the sign-out, each by POST where it acts. */
export function AccountMenu({ profile, other }: AccountMenuProps) {
  const { t } = useView();
  return (
    <div class="places">
      <Organizations profile={profile} />
      {other && (
        <a href={other.href}>
          <Icon name={other.icon} />
          {other.text}
        </a>
      )}
      <Form action="/sign-out">
        <button type="submit">
          <Icon name="signOut" directed />
          {t.signOut.action}
        </button>
      </Form>
    </div>
  );
}

function Organizations({ profile }: { readonly profile: Profile }) {
  const { t } = useView();
  const organizations = switchable(profile, t.account.personal);
  if (organizations.length < 2) return null;
  return (
    <>
      <p aria-hidden="true">{t.account.organizations}</p>
      <fieldset class="places" aria-label={t.shell.switchOrganization}>
        {organizations.slice(0, ORGANIZATIONS_MAX).map((each) => (
          <OrganizationSwitch key={each.id} organization={each} />
        ))}
      </fieldset>
      {organizations.length > ORGANIZATIONS_MAX && <a href="/account">{t.shell.allOrganizations}</a>}
      <hr />
    </>
  );
}

function OrganizationSwitch({ organization: { id, name } }: { readonly organization: SwitchableOrganization }) {
  const { organizationId } = useView();
  const mark = (
    <span class="mark xs" aria-hidden="true">
      {initialsOf(name).slice(0, 1)}
    </span>
  );
  if (id === organizationId) {
    return (
      <span class="here" aria-current="true">
        {mark}
        <span class="cut" title={name}>
          {name}
        </span>
        <Icon name="check" small />
      </span>
    );
  }
  return (
    <Form action="/account">
      <input type="hidden" name="organization_id" value={id} />
      <button type="submit" name="step" value={SWITCH}>
        {mark}
        <span class="cut" title={name}>
          {name}
        </span>
      </button>
    </Form>
  );
}

/** Name and address of the user. */
export function SignedInAs({ profile }: { readonly profile: Profile }) {
  return (
    <p class="person">
      <Picture profile={profile} small />
      <span class="what">
        <strong>{profile.displayName ?? profile.email}</strong>
        {profile.displayName && <small>{profile.email}</small>}
      </span>
    </p>
  );
}
