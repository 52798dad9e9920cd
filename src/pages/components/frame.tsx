/** Navigation beside the content, and above the content on a phone. Menus are `<details>`: no script is needed. */
import type { ComponentChildren } from "preact";
import type { Profile } from "../../models/user/profile.ts";
import { useView } from "../view.tsx";
import { AccountMenu, type OtherPart, organizationOf, SignedInAs } from "./account-menu.tsx";
import { Brand } from "./brand.tsx";
import { Crumbs } from "./crumbs.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { Done } from "./notices.tsx";
import { Picture } from "./picture.tsx";

/** Address, icon and name of a place. */
export type NavigationPlace = readonly [href: string, icon: IconName, title: string];

export interface NavigationGroup {
  readonly title?: string;
  readonly places: readonly NavigationPlace[];
}

export type SearchedList = readonly [path: string, title: string];

export interface FrameProps {
  /** The current place; undefined for a page outside of all places, such as an error. */
  readonly at: string | undefined;
  /** The page is below the place, not the place itself. */
  readonly inside?: boolean | undefined;
  /** The title of a page below the place, for the way back to the place. */
  readonly below?: string | undefined;
  readonly profile: Profile;
  /** The part of the service, beside the brand. */
  readonly area?: string;
  readonly label: string;
  readonly groups: readonly NavigationGroup[];
  /** Lists with a search, by address and name. Default: none. */
  readonly searched?: readonly SearchedList[] | undefined;
  readonly other: OtherPart | undefined;
  readonly children: ComponentChildren;
}

export function Frame(props: FrameProps) {
  const { t } = useView();
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t.common.skip}
      </a>
      <TopBar {...props} />
      <SideBar {...props} />
      <main class="main" id="main">
        <Done />
        <WayBack {...props} />
        {props.children}
      </main>
      <LanguageMenu />
    </div>
  );
}

function WayBack({ at, below, groups }: FrameProps) {
  const place = groups.flatMap(({ places }) => places).find(([href]) => href === at);
  if (below === undefined || !place) return null;
  const [href, , text] = place;
  return <Crumbs above={[{ href, text }]} current={below} />;
}

/** The bar of a phone: the menu contains the user, every place, the organizations and the sign-out. */
function TopBar(props: FrameProps) {
  const { t } = useView();
  const { profile, other, area } = props;
  return (
    <header class="top">
      <Brand area={area} />
      <details class="menu">
        <summary>
          <span class="sr">{t.shell.menuOf({ name: profile.displayName ?? profile.email })}</span>
          <Picture profile={profile} small />
          <Icon name="menu" />
        </summary>
        <div>
          <SignedInAs profile={profile} />
          <Navigation {...props} />
          <AccountMenu profile={profile} other={other} />
        </div>
      </details>
    </header>
  );
}

function SideBar(props: FrameProps) {
  const { t, organizationId } = useView();
  const { profile, other, area } = props;
  const name = profile.displayName ?? profile.email;
  const organization = organizationOf(profile, organizationId);
  return (
    <header class="side">
      <Brand area={area} />
      <PaletteButton searched={props.searched} />
      <Navigation {...props} />
      <details class="menu up">
        <summary>
          <span class="sr">{t.shell.accountMenu} </span>
          <Picture profile={profile} small />
          <span class="what">
            <strong class="cut" title={name}>
              {name}
            </strong>
            <small class="cut">{organization}</small>
          </span>
          <Icon name="updown" small />
        </summary>
        <div>
          <AccountMenu profile={profile} other={other} />
        </div>
      </details>
    </header>
  );
}

/** Opens the places and searches by name (islands/palette.ts); the navigation has every place without scripts. */
function PaletteButton({ searched = [] }: Pick<FrameProps, "searched">) {
  const { t } = useView();
  const searches = searched.map(([path, title]) => [path, t.shell.searchIn({ place: title, text: TYPED })]);
  return (
    <button
      type="button"
      class="button scripted find"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      data-palette={t.shell.palette}
      data-searches={JSON.stringify(searches)}
      data-find={searched.length > 0 ? "/admin/find" : undefined}
      data-none={t.lists.nothingFound({ q: TYPED })}
    >
      <Icon name="search" small />
      {t.console.search}
      <kbd>Ctrl K</kbd>
    </button>
  );
}

/** The place of the typed text in the texts of the palette. */
const TYPED = "%";

function Navigation({ at, inside, below, label, groups }: FrameProps) {
  const current = inside || below !== undefined ? "true" : "page";
  return (
    <nav class="places" aria-label={label}>
      {groups.map(({ title, places }) => (
        <>
          {title && <p>{title}</p>}
          {places.map(([href, icon, text]) => (
            <a key={href} href={href} aria-current={href === at ? current : undefined}>
              <Icon name={icon} />
              {text}
            </a>
          ))}
        </>
      ))}
    </nav>
  );
}
