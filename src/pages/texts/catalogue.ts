/** The catalogue of page texts. English defines the shape; a language with a missing text does not compile. */
import { type LANGUAGES, spokenLanguage } from "../../base/languages.ts";
import { accountTexts as germanAccount } from "./de/account.ts";
import { consoleTexts as germanConsole } from "./de/console.ts";
import { eventTexts as germanEvents } from "./de/events.ts";
import { listTexts as germanLists } from "./de/lists.ts";
import { oauthTexts as germanOAuth } from "./de/oauth.ts";
import { oauthClientTexts as germanOAuthClients } from "./de/oauth-clients.ts";
import { resourceTexts as germanResources } from "./de/resources.ts";
import { serviceAccountTexts as germanMachines } from "./de/service-accounts.ts";
import { shellTexts as germanShell } from "./de/shell.ts";
import { signInTexts as germanSignIn } from "./de/sign-in.ts";
import { type AccountTexts, accountTexts as englishAccount } from "./en/account.ts";
import { type ConsoleTexts, consoleTexts as englishConsole } from "./en/console.ts";
import { type EventTexts, eventTexts as englishEvents } from "./en/events.ts";
import { listTexts as englishLists, type ListTexts } from "./en/lists.ts";
import { oauthTexts as englishOAuth, type OAuthTexts } from "./en/oauth.ts";
import { oauthClientTexts as englishOAuthClients, type OAuthClientTexts } from "./en/oauth-clients.ts";
import { resourceTexts as englishResources, type ResourceTexts } from "./en/resources.ts";
import { serviceAccountTexts as englishMachines, type ServiceAccountTexts } from "./en/service-accounts.ts";
import { shellTexts as englishShell, type ShellTexts } from "./en/shell.ts";
import { signInTexts as englishSignIn, type SignInTexts } from "./en/sign-in.ts";

export type Texts = SignInTexts &
  AccountTexts &
  ConsoleTexts &
  EventTexts &
  ListTexts &
  OAuthTexts &
  OAuthClientTexts &
  ResourceTexts &
  ServiceAccountTexts &
  ShellTexts;

export const TEXTS = {
  en: {
    ...englishSignIn,
    ...englishAccount,
    ...englishConsole,
    ...englishEvents,
    ...englishLists,
    ...englishOAuth,
    ...englishOAuthClients,
    ...englishResources,
    ...englishMachines,
    ...englishShell,
  },
  de: {
    ...germanSignIn,
    ...germanAccount,
    ...germanConsole,
    ...germanEvents,
    ...germanLists,
    ...germanOAuth,
    ...germanOAuthClients,
    ...germanResources,
    ...germanMachines,
    ...germanShell,
  },
} as const satisfies Record<(typeof LANGUAGES)[number], Texts>;
export type Language = keyof typeof TEXTS;

/** The language of a tag such as `de-AT`; English for a language without texts. */
export function languageOf(tag: string | null | undefined): Language {
  return (tag && spokenLanguage(tag)) || "en";
}
