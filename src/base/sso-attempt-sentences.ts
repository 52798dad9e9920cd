/**
 * The sentence of each reason of a refused sign-in, in English, for explanations of requests. The pages of the
 * organization display the sentences in the language of the reader (docs/contract.md, section 29.23).
 */
export const ATTEMPT_SENTENCES = {
  state: "The sign-in expired, or began in another browser. The user can start again.",
  discovery: "The configuration of the identity provider could not be loaded. Check the issuer.",
  provider_error: "The identity provider refused the sign-in. Check that the application is assigned to the user.",
  issuer: "The response came from another issuer. Enter the issuer exactly.",
  token_request: "The identity provider refused the client ID or the secret. Enter a current secret.",
  id_token: "The ID token is not valid. Check client ID, signature algorithm and clock.",
  nonce: "The ID token belongs to another sign-in. The user can start again.",
  userinfo: "UserInfo could not be read, or belongs to another user.",
  subject: "The permanent ID or the e-mail address is missing. Check the claims.",
  domain: "The address is in no verified domain of this connection. Verify the domain.",
  email_not_verified: "The identity provider marks the address as not verified.",
  disabled: "The user is disabled.",
  not_a_member: "The membership was ended. Invite the user again.",
  identity_conflict: "The address belongs to a user who is linked to another account of the identity provider.",
  link_required:
    "A user with this role is not linked by the address. The user can link the company account on the security page " +
    "of the account.",
  not_invited: "The user has no invitation, and the policy admits no new users.",
  step_up: "The identity provider did not confirm the user anew with a second factor that the connection trusts.",
  changed: "The settings changed during the sign-in. The user can start again.",
};
