import type { ComponentChildren } from "preact";
import type { Profile } from "../../models/user/profile.ts";
import { useView } from "../view.tsx";
import { Mark } from "./mark.tsx";

/** `area`: the part of the service, beside the name of the service. */
function Brand({ area }: { readonly area?: string | undefined }) {
  const { assets, config } = useView().site;
  return (
    <p class="brand">
      {assets.logo ? <img src={assets.logo} alt="" width="28" height="28" /> : <i aria-hidden="true" />}
      {config.brand.name}
      {area && <span class="area">{area}</span>}
    </p>
  );
}

/** The request id of a refusal: the support staff can explain the request by its id (`/admin/requests`). */
function RequestId() {
  const { t, refused, requestId } = useView();
  return refused && requestId ? (
    <p class="soft">
      {t.error.requestId} <code class="whole-id">{requestId}</code>
    </p>
  ) : null;
}

/** One column, for one decision. `after`: content below the card. */
export function Stage({
  children,
  after,
}: {
  readonly children: ComponentChildren;
  readonly after?: ComponentChildren;
}) {
  return (
    <main class="stage">
      <div>
        <Brand />
        <div class="card">
          {children}
          <RequestId />
        </div>
        {after && <p class="after">{after}</p>}
      </div>
    </main>
  );
}

/**
 * The heading of a page in one column. While a request of an application waits, the heading names the application, so
 * that the user knows where the sign-in leads (docs/guarantees.md, G112).
 */
export function StageHead({ title }: { readonly title: string }) {
  const { t, application } = useView();
  if (!application) return <h1>{title}</h1>;
  return (
    <header class="stage-head">
      <Mark {...application} />
      <h1>{title}</h1>
      <p class="soft">
        {t.oauth.continueTo} <strong>{application.name}</strong>
      </p>
    </header>
  );
}

export type Place = "/account" | "/account/security" | "/account/applications" | "/team" | "/machines";
export type ConsolePlace =
  | "/admin"
  | "/admin/organizations"
  | "/admin/users"
  | "/admin/providers"
  | "/admin/oauth-clients"
  | "/admin/resources"
  | "/admin/flags"
  | "/admin/machines"
  | "/admin/audit"
  | "/admin/requests";

interface ShellProps<At> {
  readonly at: At;
  readonly profile: Profile;
  readonly children: ComponentChildren;
}

/** Navigation of the account beside the work. */
export function Shell({ at, profile, children }: ShellProps<Place>) {
  const { t } = useView();
  const places: readonly [Place, string][] = [
    ["/account", t.account.title],
    ["/account/security", t.security.title],
    ["/account/applications", t.oauth.applications],
    ["/team", t.team.title],
    ["/machines", t.serviceAccounts.title],
  ];
  return (
    <Frame at={at} profile={profile} places={places} label={t.common.navigation}>
      {children}
    </Frame>
  );
}

/** Navigation of the platform console. `inside`: the page is below the place, not the place itself. */
export function ConsoleShell({ inside, ...props }: ShellProps<ConsolePlace> & { readonly inside?: boolean }) {
  const { t } = useView();
  const places: readonly [ConsolePlace, string][] = [
    ["/admin", t.console.overview],
    ["/admin/organizations", t.organizations.title],
    ["/admin/users", t.users.title],
    ["/admin/providers", t.providers.title],
    ["/admin/oauth-clients", t.clients.title],
    ["/admin/resources", t.resources.title],
    ["/admin/flags", t.flags.title],
    ["/admin/machines", t.serviceAccounts.title],
    ["/admin/audit", t.audit.title],
    ["/admin/requests", t.requests.title],
  ];
  return <Frame {...props} inside={inside} places={places} label={t.console.title} console />;
}

interface FrameProps extends ShellProps<string> {
  readonly places: readonly (readonly [string, string])[];
  readonly label: string;
  readonly inside?: boolean | undefined;
  readonly console?: boolean;
}

function Frame({ at, profile, places, label, inside, console, children }: FrameProps) {
  const { t } = useView();
  const toConsole = { href: "/admin", text: t.console.title };
  const toAccount = { href: "/account", text: t.console.account };
  const other = console ? toAccount : profile.platformRole ? toConsole : undefined;
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t.common.skip}
      </a>
      <header class="side">
        <Brand area={console ? label : undefined} />
        <nav aria-label={label}>
          {places.map(([href, title]) => (
            <a key={href} href={href} aria-current={href === at ? (inside ? "true" : "page") : undefined}>
              {title}
            </a>
          ))}
          {other && (
            <a class="other" href={other.href}>
              {other.text}
            </a>
          )}
          <a class={other ? "leave near" : "leave"} href="/sign-out">
            {t.signOut.action}
          </a>
        </nav>
        <p class="whoami soft">
          {profile.displayName && <span>{profile.displayName}</span>}
          <span>{profile.email}</span>
        </p>
      </header>
      <main class={console ? "main broad" : "main"} id="main">
        {children}
        <RequestId />
      </main>
    </div>
  );
}
