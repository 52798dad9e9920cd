/**
 * The sentence of each reason of a refused sign-in, in English, for explanations of requests. The pages of the
 * organization display the sentences in the language of the reader (docs/contract.md, section 29.23).
 */
export const ATTEMPT_SENTENCES = {
  state: "The sign-in expired, or began in another browser. The user can start again.",
  discovery: "The configuration of the identity provider couldn't be loaded. Check the issuer.",
  provider_error: "The identity provider refused the sign-in. Check that the application is assigned to the user.",
  issuer: "The response came from another issuer. Enter the issuer exactly.",
  token_request:
    "The token request failed: check client ID and secret, and that the identity provider returns Bearer tokens.",
  id_token: "The ID token isn't valid. Check the client ID, signature algorithm and clock.",
  nonce: "The ID token belongs to another sign-in. The user can start again.",
  userinfo: "UserInfo couldn't be read, or belongs to another user.",
  subject: "The permanent ID or the address is missing. Check the claims.",
  domain: "The address is in no verified domain of this connection. Verify the domain.",
  email_not_verified: "The identity provider marks the address as not verified.",
  disabled: "The user is disabled.",
  not_a_member: "The membership was ended. Invite the user again.",
  identity_conflict: "The address belongs to a user who is linked to another account of the identity provider.",
  link_required:
    "The user has permissions that the person responsible for the connection doesn't have. A member with these " +
    "permissions can take responsibility for the connection, or the user can link the company account on the " +
    "account's security page.",
  not_invited: "The user has no invitation, and the policy admits no new users.",
  step_up: "The identity provider didn't confirm the user again with a second factor that the connection trusts.",
  too_large: "The response is too large, or took too long to read.",
  not_xml: "The response isn't valid SAML 2.0 XML.",
  structure: "The response has elements that SAML 2.0 doesn't allow, or not exactly one assertion.",
  status: "The identity provider refused the sign-in. Check that the application is assigned to the user.",
  signature: "The signature is missing or not valid. Have the identity provider sign the assertion with RSA-SHA256.",
  key: "The signature was made with another key. Load the metadata again, or enter the current certificate.",
  decryption: "The assertion couldn't be decrypted, or isn't encrypted as the settings say.",
  destination: "The response names another destination. Check the ACS URL at the identity provider.",
  recipient: "The assertion names another recipient. Check the ACS URL at the identity provider.",
  audience: "The assertion is for another service. Check the entity ID (audience) at the identity provider.",
  in_response_to: "The response belongs to no waiting sign-in. The user starts from the sign-in page of the service.",
  time: "The response has expired, or the clocks differ. Check the clock of the identity provider.",
  condition: "The assertion has a condition that the service doesn't know.",
  replayed: "The identity provider used the ID of an earlier assertion again.",
  implementations_disagree: "Two implementations read the response differently. Contact the operator of this service.",
  changed: "The settings changed during the sign-in. The user can start again.",
};
