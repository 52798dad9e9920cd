import type { Texts } from "../en/texts.ts";
import { accountTexts } from "./account.ts";
import { applicationTexts } from "./applications.ts";
import { blockedHostsTexts } from "./blocked-hosts.ts";
import { brandTexts } from "./brand.ts";
import { channelTexts } from "./channels.ts";
import { consoleTexts } from "./console.ts";
import { directoryTexts } from "./directory.ts";
import { emailTexts } from "./emails.ts";
import { eventTexts } from "./events.ts";
import { groupTexts } from "./groups.ts";
import { joiningTexts } from "./joining.ts";
import { leavingTexts } from "./leaving.ts";
import { listTexts } from "./lists.ts";
import { oauthTexts } from "./oauth.ts";
import { oauthClientTexts } from "./oauth-clients.ts";
import { policyTexts } from "./policies.ts";
import { provisioningTexts } from "./provisioning.ts";
import { recentAccessTexts } from "./recent-access.ts";
import { registrationTexts } from "./registration.ts";
import { resourceTexts } from "./resources.ts";
import { roleTemplateTexts } from "./role-templates.ts";
import { roleTexts } from "./roles.ts";
import { samlTexts } from "./saml.ts";
import { selectionTexts } from "./selection.ts";
import { serviceAccountTexts } from "./service-accounts.ts";
import { shellTexts } from "./shell.ts";
import { signInTexts } from "./sign-in.ts";
import { singleSignOnTexts } from "./single-sign-on.ts";
import { ssoConnectionTexts } from "./sso-connections.ts";
import { ssoPolicyTexts } from "./sso-policy.ts";
import { ssoSetupTexts } from "./sso-setup.ts";
import { ssoTestTexts } from "./sso-tests.ts";

export const texts: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...blockedHostsTexts,
  ...brandTexts,
  ...channelTexts,
  ...consoleTexts,
  ...directoryTexts,
  ...emailTexts,
  ...eventTexts,
  ...groupTexts,
  ...joiningTexts,
  ...leavingTexts,
  ...listTexts,
  ...oauthTexts,
  ...oauthClientTexts,
  ...policyTexts,
  ...provisioningTexts,
  ...recentAccessTexts,
  ...registrationTexts,
  ...resourceTexts,
  ...roleTemplateTexts,
  ...roleTexts,
  ...samlTexts,
  ...selectionTexts,
  ...serviceAccountTexts,
  ...shellTexts,
  ...singleSignOnTexts,
  ...ssoConnectionTexts,
  ...ssoPolicyTexts,
  ...ssoSetupTexts,
  ...ssoTestTexts,
};
