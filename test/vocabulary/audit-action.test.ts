/** Groups of actions, filters of the audit trail (docs/contract.md, section 17.3). */
import { expect, test } from "bun:test";
import { AUDIT_ACTIONS, CHANGE_ACTIONS } from "../../src/vocabulary/audit-action.ts";

/** Verbs of events without a changed setting or right. */
const WITHOUT_CHANGE =
  /[._](refused|failed|locked|denied|detected|issued|exchanged|tested|expiring|replayed|previewed)$/;

/** Decisions about the request of another person. */
const DECISIONS: readonly string[] = ["domain_join.denied", "organization.application_denied"];

test("No refusal, token, test or notice counts as a change, also among new actions.", () => {
  expect(AUDIT_ACTIONS.filter((action) => WITHOUT_CHANGE.test(action)).length).toBeGreaterThan(15);
  const wrong = CHANGE_ACTIONS.filter((action) => WITHOUT_CHANGE.test(action) && !DECISIONS.includes(action));
  expect(wrong).toEqual([]);
});
