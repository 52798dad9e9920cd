import type { ComponentChildren } from "preact";
import type { Profile } from "../../models/user/profile.ts";
import { useView } from "../view.tsx";

function Brand() {
  const { assets, config } = useView().site;
  return (
    <p class="brand">
      {assets.logo ? <img src={assets.logo} alt="" width="28" height="28" /> : <i aria-hidden="true" />}
      {config.brand.name}
    </p>
  );
}

/** One column, for one decision. `after`: what stands below the card. */
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
        <div class="card">{children}</div>
        {after && <p class="after">{after}</p>}
      </div>
    </main>
  );
}

export type Place = "/account" | "/account/security" | "/team";

/** Navigation beside the work. */
export function Shell(props: { readonly at: Place; readonly profile: Profile; readonly children: ComponentChildren }) {
  const { t } = useView();
  const places: readonly [Place, string][] = [
    ["/account", t.account.title],
    ["/account/security", t.security.title],
    ["/team", t.team.title],
  ];
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t.common.skip}
      </a>
      <header class="side">
        <Brand />
        <nav aria-label={t.common.navigation}>
          {places.map(([href, title]) => (
            <a key={href} href={href} aria-current={href === props.at ? "page" : undefined}>
              {title}
            </a>
          ))}
          <a class="leave" href="/sign-out">
            {t.signOut.action}
          </a>
        </nav>
        <p class="whoami soft">
          {props.profile.displayName && <span>{props.profile.displayName}</span>}
          <span>{props.profile.email}</span>
        </p>
      </header>
      <main class="main" id="main">
        {props.children}
      </main>
    </div>
  );
}
