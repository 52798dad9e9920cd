/** English: tests of connections, linked company accounts. */
import type { Shape } from "../shape.ts";

export const ssoTestTexts = {
  companyAccounts: {
    title: "Company accounts",
    lead: "Accounts of your organization's identity provider that sign you in.",
    unlinkTitle: "Unlink the company account?",
    unlinkText: "Sessions of the company account end immediately. You stay a member.",
    unlinked: "The company account is unlinked.",
    notLinked: "Not linked",
    link: "Link",
    linkTitle: "Link this company account?",
    linkText: (organization: string) => `From now on, the company account signs you in to ${organization}.`,
    subject: "Permanent ID",
    email: "E-mail address",
    linkFailed: "The company account was not linked. Start again, or ask your administrator.",
    linkTaken: "This company account is linked to another account. Ask your administrator.",
    linkDone: "The company account is linked.",
    continueTo: (name: string) => `Continue to ${name}`,
    stepUpLead: "This action requires another confirmation. Confirm with your company account.",
    stepUpFailed:
      "The second factor was not confirmed with your company account. Try again, or ask your administrator.",
    stepUpNever:
      "This action requires a second factor, and your organization trusts no second factor of your company " +
      "account. Ask an administrator to enter the trusted values of acr or amr (mfa_trust) in the connection.",
  },
  ssoTests: {
    title: "Test the connection",
    lead: "A test signs you in at the identity provider and changes nothing for members.",
    start: "Test connection",
    again: "Test again",
    go: "Continue to the identity provider",
    incomplete: "Enter issuer, client ID and credential first.",
    last: "Last test:",
    passed: "The test passed.",
    failed: "The test failed. Correct the failed check, then test again.",
    outdated: "The settings have changed since this test. Test again.",
    outcomes: {
      pass: "Passed",
      warning: "Warning",
      fail: "Failed",
      skipped: "Skipped",
    },
    checks: {
      discovery: "Configuration loaded",
      state: "Same browser",
      provider_error: "Sign-in at the identity provider",
      issuer: "Issuer as entered",
      token_request: "Client ID and credential accepted",
      nonce: "Response belongs to the test",
      id_token: "ID token valid",
      userinfo: "UserInfo read",
      subject: "Permanent ID present",
      email: "E-mail address present",
      email_verified: "Address verified by the identity provider",
      domain: "Address in a verified domain",
      groups: "Groups present",
      mfa: "Second factor at the identity provider",
    },
    hints: {
      email: "The claim has no e-mail address. Check the claims.",
      domain: "The address is in no verified domain of this connection: this user cannot sign in.",
      groups: "The response has no groups, or not all groups.",
      mfa: "Neither acr nor amr has a trusted value.",
    },
    effect: "Effect of a sign-in",
    effects: {
      sign_in: "The user signs in.",
      link: "The user signs in, and the company account is linked.",
      create: "A new user is created.",
      refused: "The sign-in is refused.",
    },
    mapping: "User data",
    received: "Received claims",
    subject: "Permanent ID",
    role: "Role",
    twoStep: "Two-step verification",
    yes: "Yes",
    no: "No",
  },
} as const;

export type SsoTestTexts = Shape<typeof ssoTestTexts>;
