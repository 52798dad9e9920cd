/** English: set-up links, for administrators and for the person with the link. */
import type { Shape } from "../shape.ts";

export const ssoSetupTexts = {
  ssoSetup: {
    links: "Set-up links",
    linksLead: "With a link, the administrator of your identity provider sets up single sign-on without an account.",
    noLinks: "No set-up links yet.",
    tasks: {
      domains: "Verify domains",
      connection: "Set up a connection",
      directory: "Create a directory token",
    },
    tasksLabel: "Tasks",
    recipient: "E‑mail address of the recipient",
    recipientHint: "Leave empty to pass the link on yourself.",
    hours: "Hours until the link expires",
    hoursHint: "1 to 336 hours.",
    create: "Create set-up link",
    badTasks: "Select at least one task.",
    full: "Your organization has 5 open set-up links, the maximum. Revoke a link first.",
    linkTitle: "Set-up link",
    linkLead: "Copy the link now. It is not displayed again, and works in one browser only.",
    mailed: (email: string) => `The link was also sent to ${email}.`,
    linkKept: "Back to single sign-on",
    statuses: {
      pending: "Not opened",
      begun: "In use",
      completed: "Completed",
      revoked: "Revoked",
      expired: "Expired",
    },
    until: (time: string) => `Valid until ${time}`,
    revoke: "Revoke",
    revokeTitle: "Revoke the set-up link?",
    revokeText: "The link stops working immediately. Domains and connections remain.",
    revoked: "The set-up link is revoked.",
    awaitingOwner:
      "A set-up link requested the activation of this connection. Check the settings, then activate the connection. " +
      "Only an owner can activate the connection.",
    title: (organization: string) => `Set up single sign-on for ${organization}`,
    invitedBy: (name: string, organization: string) =>
      `${name} asks you to set up single sign-on for ${organization}. You need no account.`,
    invited: (organization: string) => `You can set up single sign-on for ${organization}. You need no account.`,
    begin: "Begin",
    beginHint: "The link then works in this browser only, for 8 hours.",
    dead:
      "This set-up link has ended, or was opened in another browser. Ask the person who sent the link for a new " +
      "link.",
    overview: "Tasks",
    overviewLead: "Complete the tasks in this order. The results are saved, and you can return to each task.",
    toTasks: "Back to the tasks",
    open: "Open",
    states: { open: "To do", waiting: "Waiting for an owner", done: "Done" },
    finish: "Finish the set-up",
    finishLead: "Finish once all tasks are done. The link then stops working.",
    finishedTitle: "The set-up is finished",
    finished: "Thank you. The link no longer works, and you can close this page.",
    domainsElsewhere: "The administrators of the organization verify the domains.",
    selectProvider: "Select your identity provider",
    requestLead: "An owner of the organization confirms the activation. The owners receive an e‑mail.",
    request: "Request activation",
    requested: "The owners were asked to activate the connection. You can finish the set-up.",
    waiting: "An owner of the organization was asked to activate the connection.",
    isActive: "The connection is active.",
    directoryLead:
      "With the token, the directory of your identity provider creates and deactivates the accounts of members.",
    createToken: "Create token",
    tokenCreated: "The token was created. If you lost the token, ask for a new set-up link.",
  },
} as const;

export type SsoSetupTexts = Shape<typeof ssoSetupTexts>;
