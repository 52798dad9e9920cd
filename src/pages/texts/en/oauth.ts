/** English. Pages of a sign-in to an application. */
import type { Shape } from "../shape.ts";

export const oauthTexts = {
  oauth: {
    title: (name: string) => `Sign in to ${name}`,
    lead: "The application asks for permission to:",
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    organization: (name: string) => `The application gets access in the organization “${name}”.`,
    goesTo: (place: string) => `Then you go on to ${place}.`,
    allow: "Allow",
    deny: "Decline",
    otherAccount: "Use another account",
    resource: "use in your name",
    scopes: {
      openid: "know who you are",
      profile: "see your name, picture and language",
      email: "see your e-mail address",
      organization: "see your organization and your role in it",
      offline_access: "stay signed in while you are away",
    },
    passOnTitle: "One moment",
    passOn: "You are being redirected to the application.",
    errorTitle: "This sign-in cannot continue",
    errorText:
      "The application that sent you here made a mistake, or the request is too old. Start again in the application.",
    logoutLead: (name: string, email: string) => `${name} asks to sign you out. You are signed in as ${email}.`,
    applications: "Applications",
    allowed: "Allowed applications",
    applicationsLead: "You sign in to these applications with this account.",
    none: "You have not signed in to another application with this account.",
    ours: "part of this service",
    takeBack: "Remove",
    takeBackFrom: (name: string) => `Remove ${name}`,
    takenBack: "Removed. The application is signed out and will ask for permission next time.",
    logoutErrorTitle: "This sign-out cannot continue",
    logoutErrorText: "The application that sent you here made a mistake. Nobody was signed out.",
  },
} as const;

export type OAuthTexts = Shape<typeof oauthTexts>;
