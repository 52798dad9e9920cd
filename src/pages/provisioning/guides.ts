/**
 * The instructions for the console of every directory product: a sequence of typed actions, with the names that the
 * consoles display in English (docs/guides/directories.md). The catalogue has the sentences of the actions.
 */
import { type ConsoleAction, choose, open, select } from "../components/console-guide.ts";

export type DirectoryGuideAction =
  | ConsoleAction
  /** Enters the base URL, or the key, into a field of the console. */
  | { readonly kind: "url" | "key"; readonly field: string };

const url = (field: string): DirectoryGuideAction => ({ kind: "url", field });
const key = (field: string): DirectoryGuideAction => ({ kind: "key", field });

export interface DirectoryGuide {
  readonly name: string;
  readonly actions: readonly DirectoryGuideAction[];
}

export const DIRECTORY_GUIDES: readonly DirectoryGuide[] = [
  {
    name: "Microsoft Entra ID",
    actions: [
      open("Entra ID", "Enterprise apps", "New application", "Create your own application"),
      choose("Integrate any other application you don't find in the gallery (Non-gallery)"),
      open("Provisioning", "New configuration"),
      url("Tenant URL"),
      key("Secret token"),
      choose("Test connection"),
      choose("Create"),
      open("Users and groups", "Add user/group"),
      open("Provisioning", "Start provisioning"),
    ],
  },
  {
    name: "Okta",
    actions: [
      open("Applications", "Applications", "General", "App Settings"),
      select("Provisioning", "SCIM"),
      open("Provisioning", "Integration"),
      url("SCIM connector base URL"),
      select("Unique identifier field for users", "userName"),
      select("Supported provisioning actions", "Push New Users, Push Profile Updates, Push Groups"),
      select("Authentication Mode", "HTTP Header"),
      key("Authorization"),
      choose("Test Connector Configuration"),
      open("Provisioning", "To App"),
      select("Provisioning to App", "Create Users, Update User Attributes, Deactivate Users"),
      open("Assignments"),
      open("Push Groups"),
    ],
  },
  {
    name: "OneLogin",
    actions: [
      open("Applications", "Applications", "Add App"),
      choose("SCIM Provisioner with SAML (SCIM v2 Enterprise)"),
      open("Configuration"),
      url("SCIM Base URL"),
      key("SCIM Bearer Token"),
      choose("Enable"),
      open("Provisioning"),
      choose("Enable provisioning"),
    ],
  },
  {
    name: "JumpCloud",
    actions: [
      open("SSO Applications", "Identity Management"),
      select("API Type", "SCIM API"),
      select("SCIM Version", "SCIM 2.0"),
      url("Base URL"),
      key("Token Key"),
      choose("Test Connection"),
      choose("Activate"),
      open("User Groups"),
    ],
  },
  {
    name: "PingOne",
    actions: [
      open("Integrations", "Provisioning", "New Connection"),
      select("Identity Store", "SCIM Outbound"),
      url("SCIM Base URL"),
      select("Users Resource", "/Users"),
      select("SCIM Version", "2.0"),
      select("Authentication Method", "OAuth 2 Bearer Token"),
      key("Oauth Access Token"),
      choose("Test Connection"),
      open("Rules", "New Rule"),
    ],
  },
  {
    name: "Google Workspace",
    actions: [
      open("Apps", "Web and mobile apps", "Autoprovisioning"),
      choose("Configure autoprovisioning"),
      key("Access token"),
      url("Endpoint URL"),
      select("Attribute mapping", "username, name.givenName, name.familyName"),
      choose("Finish"),
    ],
  },
];
