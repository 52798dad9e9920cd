/** What every component knows: texts, times, brand, the form's CSRF value. Rendering is in `html.tsx`. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Deps } from "../deps.ts";
import { formCsrfToken } from "../http/form-csrf.ts";
import type { SessionView } from "../models/session/session.ts";
import type { Profile } from "../models/user/profile.ts";
import type { Assets } from "./assets.ts";
import { type Dates, datesIn } from "./dates.ts";
import { type Language, languageOf, TEXTS, type Texts } from "./texts/catalogue.ts";

/** What all pages are given. */
export type SiteDeps = Pick<Deps, "config" | "csrfKey" | "random" | "clock"> & { readonly assets: Assets };

export interface View {
  readonly t: Texts;
  readonly language: Language;
  readonly dates: Dates;
  readonly site: SiteDeps;
  /** Empty before there is a session. */
  readonly csrf: string;
}

/** `locale`: that of the user, else the one that the browser prefers. */
export function viewOf(site: SiteDeps, locale: string | null | undefined, session?: Pick<SessionView, "id">): View {
  const language = languageOf(locale);
  // The region decides about dates: 28 November in en-GB, November 28 in en-US.
  const region = locale?.toLowerCase().startsWith(`${language}-`) ? locale : language;
  return {
    t: TEXTS[language],
    language,
    dates: datesIn(region, site.clock.now),
    site,
    csrf: session ? formCsrfToken(site, session.id) : "",
  };
}

/** The view of a signed-in person, in the language of the account. */
export function personView(site: SiteDeps, profile: Profile, session: SessionView, browserLocale: string | null): View {
  return viewOf(site, profile.locale ?? browserLocale, session);
}

const Context = createContext<View | undefined>(undefined);
export const ViewProvider = Context.Provider;

export function useView(): View {
  const view = useContext(Context);
  if (!view) throw new Error("a component outside of a page");
  return view;
}
