/** English: search, filters, order and pages of lists. */
import type { Shape } from "../shape.ts";

export const listTexts = {
  lists: {
    apply: "Apply",
    clear: "Clear filters",
    anyStatus: "Any status",
    anyRole: "Any platform role",
    anyFactor: "Any second factor",
    anyTier: "Any tier",
    role: "Platform role",
    factor: "Second factor",
    factorOn: "Set up",
    factorOff: "None",
    createdFrom: "Created from",
    createdTo: "Created to",
    first: "First page",
    last: "Last page",
    pageSize: "Rows per page",
    csv: "Export CSV",
    csvHint: (rows: string) => `The matching rows, at most ${rows}`,
    noMatch: "Nothing matches the filters. Change or clear the filters.",
    usersDisabled: (users: string, disabled: string) => `${users}, ${disabled} disabled`,
    organizationsSuspended: (organizations: string, suspended: string) => `${organizations}, ${suspended} suspended`,
    onlyMembers: (organization: string) => `Members of ${organization}`,
    redirectUri: "Redirect URI",
    redirectUriLead: "Register this address at the provider.",
    send: "Send link",
    verification: "Link that confirms the e-mail address",
    verificationSent: "A link that confirms the address is on its way to the user.",
    reset: "Link for a new password",
    resetSent: "A link for a new password is on its way to the user.",
  },
};

export type ListTexts = Shape<typeof listTexts>;
