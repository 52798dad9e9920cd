/** English. Pages of a sign-in to an application. */
import type { Shape } from "../shape.ts";

export const oauthTexts = {
  oauth: {
    title: (name: string) => `Sign in to ${name}`,
    lead: "It asks to:",
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
    passOn: "You are led back to the application.",
    errorTitle: "This sign-in cannot go on",
    errorText: "The application that sent you here made a mistake, or the request is too old. Start again there.",
    logoutLead: (name: string, email: string) => `${name} asks to sign you out. You are signed in as ${email}.`,
    applications: "Applications",
    allowed: "Allowed applications",
    applicationsLead: "They sign you in with this account.",
    none: "You have not signed in to another application with this account.",
    ours: "part of this service",
    takeBack: "Remove",
    takeBackFrom: (name: string) => `Remove ${name}`,
    takenBack: "Removed. The application is signed out, and asks you the next time.",
    logoutErrorTitle: "This sign-out cannot go on",
    logoutErrorText: "The application that sent you here made a mistake. Nobody was signed out.",
  },
} as const;

export type OAuthTexts = Shape<typeof oauthTexts>;
