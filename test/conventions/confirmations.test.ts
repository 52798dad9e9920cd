/**
 * Every confirmation of a setting carries the displayed version, so that a confirmation applies what the page displayed
 * (docs/pages.md). A confirmation of a loss names its object by id, and ends the object in every state.
 */
import { expect, test } from "bun:test";
import { readActions, readPage } from "../support/page-actions.ts";

const ENDS = "ends the object that the question names";
/** The actions with a question by step, with the reason for the absence of a version. */
const WITHOUT_VERSION: Readonly<Record<string, string>> = {
  "delete-passkey": ENDS,
  "revoke-sessions": ENDS,
  "unlink-company": ENDS,
  leave: ENDS,
  remove: ENDS,
  revoke: ENDS,
  "deny-join": ENDS,
  "end-session": ENDS,
  "remove-selected": ENDS,
  "resend-selected": "sends the invitations again, with a decided role",
  "revoke-selected": ENDS,
  "end-selected": ENDS,
  "end-sessions": ENDS,
  "sign-out-selected": ENDS,
  "disable-selected": ENDS,
  disable: ENDS,
  suspend: ENDS,
  "reset-factor": ENDS,
  end: ENDS,
  "delete-secret": ENDS,
  "delete-scope": ENDS,
  "delete-claim": ENDS,
  unblock: "permits the documents of the named host in every state",
  "unlink-account": ENDS,
  "revoke-link": ENDS,
  deactivate: ENDS,
  delete: ENDS,
  pause: "stops the directory in every state",
  "revoke-key": ENDS,
  "delete-account": ENDS,
  "delete-trust": ENDS,
  "rotate-secret": "replaces the secret in every state",
  "delete-webhook": ENDS,
};

/** Confirmations whose address and form carry the displayed version. */
const BY_VERSION: readonly string[] = ["activate", "take-over"];

/** The forms that put a displayed setting into force. */
const WITH_VERSION = [
  "components/question.tsx",
  "single-sign-on/policy-view.tsx",
  "provisioning/groups-view.tsx",
  "roles/name-fields.tsx",
  "admin/resources/settings-form.tsx",
  "admin/claims/mapping-page.tsx",
  "admin/organizations/settings.tsx",
] as const;

test("Every confirmation has a version, or a reason for its absence (G313).", async () => {
  const steps = (await readActions()).flatMap(({ action }) => (action.ask ? [action.step] : []));
  expect([...new Set(steps)].sort()).toEqual([...Object.keys(WITHOUT_VERSION), ...BY_VERSION].sort());
});

test("Every form that puts a displayed setting into force carries the displayed version (G313).", () => {
  expect(WITH_VERSION.filter((file) => !/name="version"/.test(readPage(file)))).toEqual([]);
});
