/** English: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { Shape } from "../shape.ts";

const plural = pluralIn("en");

export const listTexts = {
  lists: {
    apply: "Apply",
    clear: "Clear filters",
    anyStatus: "Any status",
    anyRole: "Any platform role",
    anyFactor: "With or without two-step verification",
    anyTier: "Any tier",
    anyType: "Any type",
    searchApis: "Search by name or identifier",
    searchFlags: "Search by key or description",
    nothingFound: (q: string) => `Nothing matches “${q}”.`,
    apiCount: (count: number) => plural(count, { one: "# API", other: "# APIs" }),
    flagCount: (count: number) => plural(count, { one: "# flag", other: "# flags" }),
    role: "Platform role",
    factor: "Two-step verification",
    factorOn: "Set up",
    factorOff: "None",
    createdFrom: "Created from",
    createdTo: "Created to",
    first: "First page",
    last: "Last page",
    pageSize: "Rows per page",
    csv: "Export CSV",
    csvHint: (rows: number) =>
      plural(rows, { one: "The matching rows, at most #", other: "The matching rows, at most #" }),
    noMatch: "Nothing matches the filters. Change or clear the filters.",
    usersDisabled: (count: number) => plural(count, { one: "# disabled", other: "# disabled" }),
    organizationsSuspended: (count: number) => plural(count, { one: "# suspended", other: "# suspended" }),
    onlyMembers: (organization: string) => `Members of ${organization}`,
    redirectUri: "Redirect URI",
    redirectUriLead: "Register this address at the provider.",
    send: "Send link",
    verification: "Link that confirms the e‑mail address",
    verificationSent: "A link that confirms the address is on its way to the user.",
    reset: "Link for a new password",
    resetSent: "A link for a new password is on its way to the user.",
  },
};

export type ListTexts = Shape<typeof listTexts>;
