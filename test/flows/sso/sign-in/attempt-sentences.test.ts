import { expect, test } from "bun:test";
import { SSO_REASONS } from "../../../../src/flows/sso/sign-in/refusals.ts";
import { TEXTS } from "../../../../src/pages/texts/catalogue.ts";
import { ATTEMPT_SENTENCES } from "../../../../src/vocabulary/sso-attempt-sentences.ts";

test("Every reason of an attempt has one sentence, equal in explanations and on the page (P10).", () => {
  expect(Object.keys(ATTEMPT_SENTENCES).sort()).toEqual([...SSO_REASONS].sort());
  expect(ATTEMPT_SENTENCES).toEqual(TEXTS.en.ssoConnections.reasons);
});
