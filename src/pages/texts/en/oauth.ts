/** English. Pages of a sign-in to an application. */
import type { Shape } from "../shape.ts";

export const oauthTexts = {
  oauth: {
    continueTo: "to continue to",
    title: (name: string) => `Sign in to ${name}`,
    lead: (name: string) => `${name} wants to:`,
    notYou: "Not you?",
    organizationHint: "Access applies to this organization.",
    change: "Change",
    changeOrganization: "the organization",
    switchHint: "Choose the organization. You switch to this organization here as well.",
    goesTo: (host: string) => `You'll be sent back to ${host}.`,
    removable: "You can remove access at any time under “Applications” in your account.",
    policy: (name: string) => `Privacy policy of ${name}`,
    terms: (name: string) => `Terms of service of ${name}`,
    allow: "Allow",
    deny: "Decline",
    otherAccount: "Use another account",
    resource: "act on your behalf at this service",
    otherScope: "use a permission of the application",
    offlineUntil: "Until you remove access",
    scopes: {
      openid: "confirm your identity",
      profile: "see your name, picture and language",
      email: "see your e-mail address",
      organization: "see your organization and your role in it",
      offline_access: "keep access while you're offline",
    },
    passOnTitle: "One moment",
    passOn: "You are being redirected to the application.",
    open: (name: string) => `Open ${name}`,
    openHint: "The application opens on this device. If the application does not open, press the button.",
    openClose: "You can close this window afterwards.",
    errorTitle: "We couldn't complete this sign-in",
    errorText:
      "The application that sent you here made a mistake, or the request is too old. Start again in the application.",
    logoutLead: (name: string, email: string) => `${name} asks to sign you out. You are signed in as ${email}.`,
    applications: "Applications",
    allowed: "Allowed applications",
    applicationsLead: "You sign in to these applications with this account. An application sees only the listed data.",
    none: "You have not signed in to another application with this account.",
    ours: "part of this service",
    takeBack: "Remove",
    takeBackFrom: (name: string) => `Remove ${name}`,
    takeBackTitle: (name: string) => `Remove ${name}?`,
    takeBackText:
      "The application is signed out and loses access immediately. The next sign-in asks for permission again.",
    since: (day: string) => `Since ${day}`,
    used: "Last used",
    takenBack: "Removed. The application is signed out and will ask for permission next time.",
    logoutErrorTitle: "We couldn't complete this sign-out",
    logoutErrorText: "The application that sent you here made a mistake. Nobody was signed out.",
  },
} as const;

export type OAuthTexts = Shape<typeof oauthTexts>;
