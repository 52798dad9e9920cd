import type { ComponentChildren } from "preact";
import type { Profile } from "../../models/user/profile.ts";
import { isPersonalOrganization } from "../../vocabulary/personal-organization.ts";
import { hasPower } from "../power.ts";
import { useView } from "../view.tsx";
import { type OtherPart, organizationOf } from "./account-menu.tsx";
import { ApplicationMark, ApplicationWarning, applicationName } from "./application.tsx";
import { Brand } from "./brand.tsx";
import { Frame, type FrameProps, type NavigationGroup, type SearchedList } from "./frame.tsx";
import { type IconName, Tile } from "./icon.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { LegalLinks } from "./legal-links.tsx";
import { Done } from "./notices.tsx";

/** The request id of a refusal: the support staff can explain the request by its id (`/admin/requests`). */
function RequestId() {
  const { t, needsSupport, requestId } = useView();
  return needsSupport && requestId ? (
    <details class="soft">
      <summary>{t.error.details}</summary>
      <p>
        {t.error.requestId} <code class="whole-id">{requestId}</code>
      </p>
    </details>
  ) : null;
}

interface StageProps {
  readonly children: ComponentChildren;
  /** Content below the card. */
  readonly after?: ComponentChildren;
  /** Whether the form of the page is the only form, so that no page of another origin receives a value of this one. */
  readonly ofOneForm?: boolean;
}

/** One column, for one decision. */
export function Stage({ children, after, ofOneForm = false }: StageProps) {
  return (
    <main class="stage">
      <div>
        <Brand />
        <div class="card">
          <Done />
          {children}
          <RequestId />
        </div>
        {after && <p class="after">{after}</p>}
        <LegalLinks />
      </div>
      {!ofOneForm && <LanguageMenu />}
    </main>
  );
}

interface StageHeadProps {
  readonly title: string;
  /** The icon above the title, unless an application has the place. */
  readonly icon?: IconName;
}

/**
 * The heading of a page in one column. While a request of an application waits, the heading names the application, so
 * that the user knows where the sign-in leads (docs/guarantees.md, G112).
 */
export function StageHead({ title, icon }: StageHeadProps) {
  const view = useView();
  const { t, application } = view;
  return (
    <header class="stage-head">
      {application ? <ApplicationMark client={application} /> : icon && <Tile name={icon} />}
      <h1>{title}</h1>
      {application && (
        <p class="soft">
          {t.oauth.continueTo} <strong>{applicationName(view, application)}</strong>
        </p>
      )}
      {application && <ApplicationWarning client={application} />}
    </header>
  );
}

export type Place =
  | "/account"
  | "/account/security"
  | "/account/applications"
  | "/team"
  | "/team/audit"
  | "/team/applications"
  | "/team/directory"
  | "/team/policies"
  | "/team/roles"
  | "/team/groups"
  | "/team/single-sign-on"
  | "/machines";
export type ConsolePlace =
  | "/admin"
  | "/admin/organizations"
  | "/admin/users"
  | "/admin/deletions"
  | "/admin/providers"
  | "/admin/oauth-clients"
  | "/admin/resources"
  | "/admin/roles"
  | "/admin/flags"
  | "/admin/emails"
  | "/admin/machines"
  | "/admin/audit"
  | "/admin/requests";

interface ShellProps<At> extends Pick<FrameProps, "inside" | "below"> {
  /** Undefined for a page outside of all places, such as an error. */
  readonly at: At | undefined;
  readonly profile: Profile;
  readonly children: ComponentChildren;
}

/** Navigation of the account beside the content. */
export function Shell({ children, ...props }: ShellProps<Place>) {
  const view = useView();
  const { t, organizationId } = view;
  const { profile } = props;
  const roles = ["/team/roles", "badge", t.customRoles.title] as const;
  const memberGroups = ["/team/groups", "grid", t.groups.title] as const;
  const singleSignOn = ["/team/single-sign-on", "passkey", t.singleSignOn.title] as const;
  const directory = ["/team/directory", "building", t.provisioning.title] as const;
  const applications = ["/team/applications", "blocks", t.applications.title] as const;
  const policies = ["/team/policies", "flag", t.policies.title] as const;
  const audit = ["/team/audit", "audit", t.audit.title] as const;
  const developers = ["/machines", "key", t.serviceAccounts.developers] as const;
  const hasTeam = !isPersonalOrganization({ userId: profile.userId, organizationId: organizationId ?? null });
  const groups: readonly NavigationGroup[] = [
    {
      title: t.shell.yourAccount,
      places: [
        ["/account", "account", t.shell.profile],
        ["/account/security", "shield", t.security.title],
        ["/account/applications", "apps", t.oauth.applications],
      ],
    },
    {
      title: organizationOf(profile, organizationId) ?? t.account.organizations,
      places: [
        ["/team", "users", t.team.title],
        ...(hasPower(view, "members.list") ? [roles, memberGroups, policies] : []),
        ...(hasPower(view, "sso.manage") ? [singleSignOn] : []),
        ...(hasPower(view, "directory.manage") ? [directory] : []),
        ...(hasPower(view, "applications.manage") ? [applications] : []),
        ...(hasPower(view, "audit.read") ? [audit] : []),
        ...(hasPower(view, "machines.manage") || hasPower(view, "webhooks.manage") ? [developers] : []),
      ],
    },
  ];
  const toConsole: OtherPart = { href: "/admin", text: t.console.title, icon: "overview" };
  const other = profile.platformRole ? toConsole : undefined;
  return (
    <Frame {...props} groups={hasTeam ? groups : groups.slice(0, 1)} label={t.common.navigation} other={other}>
      {children}
      <RequestId />
    </Frame>
  );
}

/** Navigation of the platform console. */
export function ConsoleShell({ children, ...props }: ShellProps<ConsolePlace>) {
  const { t } = useView();
  const groups: readonly NavigationGroup[] = [
    { places: [["/admin", "overview", t.console.overview]] },
    {
      title: t.shell.directory,
      places: [
        ["/admin/organizations", "building", t.organizations.title],
        ["/admin/users", "users", t.users.title],
        ["/admin/roles", "badge", t.templates.title],
        ["/admin/deletions", "trash", t.adminDeletions.title],
      ],
    },
    {
      title: t.shell.access,
      places: [
        ["/admin/providers", "plug", t.providers.title],
        ["/admin/oauth-clients", "apps", t.clients.title],
        ["/admin/resources", "code", t.resources.title],
        ["/admin/machines", "key", t.serviceAccounts.developers],
      ],
    },
    {
      title: t.shell.operations,
      places: [
        ["/admin/flags", "flag", t.flags.title],
        ["/admin/emails", "mail", t.emailPreviews.title],
        ["/admin/audit", "audit", t.audit.title],
        ["/admin/requests", "search", t.requests.title],
      ],
    },
  ];
  const searched: readonly SearchedList[] = [
    ["/admin/users", t.users.title],
    ["/admin/organizations", t.organizations.title],
    ["/admin/oauth-clients", t.clients.title],
    ["/admin/audit", t.audit.title],
  ];
  const toAccount: OtherPart = { href: "/account", text: t.console.account, icon: "account" };
  return (
    <Frame {...props} {...{ groups, searched }} label={t.console.title} area={t.console.title} other={toAccount}>
      {children}
      <RequestId />
    </Frame>
  );
}
