import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "The DNS record of {{domain}} is missing",
    preheader: "Without the record, your organization loses the domain in {{valid_for}}.",
    title: "A DNS record is missing",
    lead:
      "The TXT record that proves that your organization owns {{domain}} is missing. Add the record again: otherwise " +
      "your organization loses the domain in {{valid_for}}, and single sign-on ends for addresses of the domain.",
    button: "Check the domain",
    after: "The service checks the record once a day. You can check the record on the page at any time.",
  },
  domain_lost: {
    subject: "Your organization has lost the domain {{domain}}",
    preheader: "The DNS record was missing for seven days.",
    title: "A domain was lost",
    lead:
      "The TXT record of {{domain}} was missing for seven days. Single sign-on no longer applies to addresses of the " +
      "domain. Open sessions continue.",
    button: "Verify the domain again",
    after: "To use the domain again, add the record to DNS and check the domain on the page.",
  },
  domain_transferred: {
    subject: "The domain {{domain}} was transferred",
    preheader: "The operator of {{brand}} decided on the ownership of the domain.",
    title: "A domain was transferred",
    lead: "The operator of {{brand}} decided which organization owns the domain {{domain}}.",
    gained: "Your organization now owns the domain. Keep the TXT record in DNS: the service checks it once a day.",
    givenUp:
      "Your organization no longer owns the domain. Single sign-on no longer applies to addresses of the domain. " +
      "Open sessions continue.",
    button: "Review domains",
    after: "If you have questions, contact the operator of {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "A sign-in by single sign-on was refused",
    preheader: "Two accounts at your identity provider have the address {{address}}.",
    title: "A sign-in was refused",
    lead:
      "At your identity provider, a second account has the address {{address}} of a member. The sign-in through " +
      "the connection {{connection}} on {{time}} was refused, so that the second account does not get the access of " +
      "the member.",
    button: "Review single sign-on",
    after:
      "If the member has a new account at your identity provider, unlink the former account on the page. " +
      "Otherwise, correct the address at your identity provider.",
  },
  sso_linked: {
    subject: "You can now sign in through {{organization_name}}",
    preheader: "{{organization_name}} signs you in through its identity provider, for this organization only.",
    title: "Single sign-on was set up",
    lead:
      "Your account at {{brand}} is now linked to your account at the identity provider of " +
      "{{organization_name}}. A sign-in there reaches this organization only. Your password, your other " +
      "sign-in methods and your other organizations stay as they are.",
    button: "Review your account",
    after: "If you do not recognize this sign-in, tell an administrator of {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "A second factor was set up for {{organization_name}}",
    preheader: "{{device}}, {{time}}. If this was not you, tell an administrator of {{organization_name}}.",
    title: "A second factor was set up",
    lead:
      "An authenticator app was set up for single sign-on to {{organization_name}}. The app is asked for after " +
      "sign-in there only. Your password and your other sign-in methods stay as they are.",
    button: "Review your account",
    after:
      "Was this you? Then you can ignore this e-mail. If not, tell an administrator of {{organization_name}} at once.",
  },
  sso_break_glass_used: {
    subject: "Emergency access to single sign-on was used",
    preheader: "The user {{address}} signed in without your identity provider.",
    title: "Emergency access was used",
    lead:
      "The user {{address}} signed in with emergency access on {{time}}, while your organization requires single " +
      "sign-on. The session ends after one hour.",
    button: "Review single sign-on",
    after: "If you do not expect this sign-in, end the session of the user and change the policy.",
  },
  sso_paused: {
    subject: "Single sign-on is not required for 24 hours",
    preheader: "The operator of {{brand}} paused the requirement.",
    title: "The requirement is paused",
    lead:
      "The operator of {{brand}} paused the requirement of single sign-on in your organization until " +
      "{{time}}. Members can sign in with their own methods. Reason: {{reason}}",
    button: "Review single sign-on",
    after: "The requirement returns by itself. If you have questions, contact the operator of {{brand}}.",
  },
  requirement_lifted: {
    subject: "A requirement of your organization may have ended",
    preheader: "The setting {{setting}} was part of the requirement.",
    title: "A setting of a requirement changed",
    lead:
      "Your organization requires single sign-on or a second factor. The setting {{setting}}, a part of this " +
      "requirement, was changed or removed on {{time}} by a member who may change policies.",
    button: "Review single sign-on",
    after: "If you do not expect this change, restore the setting, and check in the audit trail who made the change.",
  },
  sso_certificate_expiring: {
    subject: "A certificate of your identity provider ends on {{time}}",
    preheader: "The connection {{connection}} uses this certificate.",
    title: "A certificate ends",
    lead:
      "A certificate of the identity provider of the connection {{connection}} is valid until {{time}}. Ask the " +
      "administrator of the identity provider for the next certificate.",
    button: "Review the connection",
    after:
      "Add the next certificate beside the old one, so that no sign-in fails. With the address of metadata, the " +
      "service reads new certificates itself.",
  },
  sso_secret_expiring: {
    subject: "The client secret of your identity provider expires on {{time}}",
    preheader: "The connection {{connection}} uses this secret.",
    title: "A client secret expires",
    lead:
      "The client secret of the connection {{connection}} is valid until {{time}}. Create a new secret at the " +
      "identity provider.",
    button: "Review the connection",
    after: "Enter the new secret and the new date before the old secret expires, so that no sign-in fails.",
  },
  sso_certificates_changed: {
    subject: "Certificates of the connection {{connection}} have changed",
    preheader: "The metadata of your identity provider changed on {{time}}.",
    title: "Certificates have changed",
    lead:
      "The service read new metadata of the identity provider of the connection {{connection}} on {{time}}, and " +
      "changed the certificates of the connection.",
    button: "Review the connection",
    after:
      "If you do not expect this change, deactivate the connection and ask the administrator of the identity " +
      "provider.",
  },
  sso_setup_link: {
    subject: "Set up single sign-on for {{organization_name}}",
    preheader: "{{inviter_name}} asks you to connect your identity provider.",
    title: "Set up single sign-on",
    lead:
      "{{inviter_name}} asks you to set up single sign-on for {{organization_name}} at {{brand}}. You need no " +
      "account. The link works in one browser only: open the link in the browser with which you manage your " +
      "identity provider.",
    button: "Begin the set-up",
    after: "Do not forward the link. If you do not expect this e-mail, ignore the e-mail.",
  },
  sso_activation_requested: {
    subject: "A connection waits for your activation",
    preheader: "The set-up of {{connection}} is complete.",
    title: "Activate the connection",
    lead:
      "The set-up of the connection {{connection}} was completed on {{time}} by a set-up link. Check the " +
      "settings. The connection signs members in once an owner activates the connection.",
    button: "Review the connection",
    after: "If you do not know who set up the connection, do not activate the connection, and revoke the set-up link.",
  },
};
