/** English: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { Shape } from "../shape.ts";

const plural = pluralIn("en");

export const selectionTexts = {
  selection: {
    select: (name: string) => `Select ${name}`,
    rows: "Selected rows",
    all: "Select all",
    back: "Back to the list",
    missing: "This row no longer exists.",
    bounds: (count: number) => plural(count, { one: "Select # row.", other: "Select 1 to # rows." }),
    partial: (count: number) => plural(count, { one: "# row is unchanged", other: "# rows are unchanged" }),
    actions: {
      "remove-selected": {
        action: "Remove",
        title: (count: number) => plural(count, { one: "Remove # member?", other: "Remove # members?" }),
        text: "The members lose access to this organization immediately. The accounts remain.",
        done: (count: number) => plural(count, { one: "# member removed.", other: "# members removed." }),
      },
      "resend-selected": {
        action: "Send again",
        title: (count: number) =>
          plural(count, { one: "Send # invitation again?", other: "Send # invitations again?" }),
        text: "Each e‑mail contains a new link. The earlier links no longer work.",
        done: (count: number) => plural(count, { one: "# invitation sent again.", other: "# invitations sent again." }),
      },
      "revoke-selected": {
        action: "Revoke",
        title: (count: number) => plural(count, { one: "Revoke # invitation?", other: "Revoke # invitations?" }),
        text: "The links in the e‑mails no longer work.",
        done: (count: number) => plural(count, { one: "# invitation revoked.", other: "# invitations revoked." }),
      },
      "end-selected": {
        action: "End sessions",
        title: (count: number) => plural(count, { one: "End # session?", other: "End # sessions?" }),
        text: "The devices are signed out immediately. The users can sign in again.",
        done: (count: number) => plural(count, { one: "# session ended.", other: "# sessions ended." }),
      },
      "disable-selected": {
        action: "Disable",
        title: (count: number) => plural(count, { one: "Disable # user?", other: "Disable # users?" }),
        text:
          "All sessions of these users end immediately, and every sign-in fails until you enable the " +
          "accounts again.",
        done: (count: number) => plural(count, { one: "# user disabled.", other: "# users disabled." }),
      },
      "sign-out-selected": {
        action: "Sign out everywhere",
        title: (count: number) =>
          plural(count, { one: "Sign # user out everywhere?", other: "Sign # users out everywhere?" }),
        text: "All sessions of these users end immediately. The users can sign in again.",
        done: (count: number) =>
          plural(count, { one: "# user signed out everywhere.", other: "# users signed out everywhere." }),
      },
    },
  },
};

export type SelectionTexts = Shape<typeof selectionTexts>;
