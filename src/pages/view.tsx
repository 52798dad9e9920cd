/** The values that every component knows: texts, times, brand, the form's CSRF value. `html.tsx` renders pages. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { RequestContext } from "../base/request-context.ts";
import { displayedTimeZone } from "../base/time-zones.ts";
import type { Deps } from "../deps.ts";
import { formCsrfToken } from "../http/form-csrf.ts";
import type { ClientIdentity } from "../models/conditions/client-identity.ts";
import type { SessionView } from "../models/session/session.ts";
import type { Profile } from "../models/user/profile.ts";
import { withRegion } from "../vocabulary/languages.ts";
import type { MemberPower } from "../vocabulary/member-power.ts";
import type { Assets } from "./assets.ts";
import { type Dates, datesIn } from "./dates.ts";
import { deploymentBrand, type PageBrand } from "./page-brand.ts";
import type { TenantStyles } from "./tenant-styles.ts";
import { type Language, languageOf, TEXTS, type Texts } from "./texts/catalogue.ts";

/** Unique among the pages of one user. */
const PRESS_BYTES = 4;

/** The shared values of all pages. */
export type SiteDeps = { readonly assets: Assets; readonly styles: TenantStyles } & Pick<
  Deps,
  "brands" | "config" | "csrfKey" | "identityProviders" | "random" | "clock" | "sealing"
>;

export interface View {
  readonly t: Texts;
  readonly language: Language;
  readonly dates: Dates;
  readonly site: SiteDeps;
  /** The brand of the deployment, or of the tenants that the page concerns (`brandedView`). */
  readonly brand: PageBrand;
  /** Empty before there is a session. */
  readonly csrf: string;
  /** The key of the displayed page in its forms, so that a form that is sent twice is executed once (presses.ts). */
  readonly press: string;
  /** The organization of the session; undefined before sign-in. */
  readonly organizationId: string | undefined;
  readonly requestId: string | null;
  /** The application of the waiting authorization request to which the page returns. */
  readonly application?: ClientIdentity | undefined;
  /** The result of the preceding form, which the page displays once. */
  readonly done?: string | undefined;
  /** The page displays a refusal that the user cannot solve alone, with the id of the request. */
  readonly needsSupport: boolean;
  /** The signed-in user, whose pages have navigation. */
  readonly profile?: Profile | undefined;
  /** The power of the signed-in user in the organization of the session. */
  readonly power?: MemberPower | undefined;
  /** The page of the form that the signed-in user sent, for the way back from a refusal. */
  readonly formPage?: string | undefined;
  /** The address of the second step of the sign-in, with which a change of the language goes on. */
  readonly typedAddress?: string | undefined;
  /** The page belongs to the platform console. */
  readonly inConsole?: boolean;
}

/** The view of a user or visitor. `locale`: the locale of the user, else the preferred locale of the browser. */
export type Visitor = Pick<RequestContext, "locale" | "requestId"> & {
  /** The time zone of the account; absent: UTC. */
  readonly timeZone?: string | null;
};
type Session = Pick<SessionView, "id" | "organizationId">;

export function viewOf(site: SiteDeps, { locale, requestId, timeZone }: Visitor, session?: Session): View {
  const language = languageOf(locale);
  return {
    t: TEXTS[language],
    language,
    dates: datesIn(withRegion(language, locale), site.clock.now, displayedTimeZone(timeZone)),
    site,
    brand: deploymentBrand(site),
    csrf: session ? formCsrfToken(site, session.id) : "",
    press: site.random.bytes(PRESS_BYTES).toString("base64url"),
    organizationId: session?.organizationId,
    requestId,
    needsSupport: false,
  };
}

/** The view of a signed-in user, in the language of the account. */
export function signedInView(site: SiteDeps, profile: Profile, session: SessionView, client: Visitor): View {
  const { requestId } = client;
  const visitor = { locale: profile.locale ?? client.locale, requestId, timeZone: profile.timeZone };
  const { role, granted } = session;
  return { ...viewOf(site, visitor, session), profile, power: { role, granted } };
}

const Context = createContext<View | undefined>(undefined);
export const ViewProvider = Context.Provider;

export function useView(): View {
  const view = useContext(Context);
  if (!view) throw new Error("a component outside of a page");
  return view;
}
