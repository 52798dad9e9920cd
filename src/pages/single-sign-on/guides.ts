/**
 * The instructions for the console of every identity provider: a sequence of typed actions, with the names that the
 * consoles display in English. The catalogue has the sentences of the actions.
 */

import type { ConnectionUrls } from "../../flows/sso/connections/urls.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import { type ConsoleAction, choose, open, select } from "../components/console-guide.ts";

/** Fields of the service with a value from the console. */
export type CopyTarget =
  | "issuer"
  | "client_id"
  | "client_secret"
  | "email_from"
  | "metadata_url"
  | "metadata_xml"
  | "subject_from";

export type GuideAction =
  | ConsoleAction
  /** Enters an address of the connection into a field of the console. */
  | { readonly kind: "enter"; readonly field: string; readonly address: keyof ConnectionUrls }
  /** Types a value that is equal for every connection. */
  | { readonly kind: "type"; readonly field: string; readonly value: string }
  /** Adds rows of a name and a value. */
  | { readonly kind: "pairs"; readonly field: string; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: "copy"; readonly field: string; readonly target: CopyTarget }
  /** Copies a value from one field of the console to another field of the console. */
  | { readonly kind: "repeat"; readonly field: string; readonly target: string };

export interface Guide {
  readonly actions: readonly GuideAction[];
  /** The format of the issuer, with the name of the variable part in the console. */
  readonly issuerFormat: string;
  /** The issuer, if the identity provider has one issuer for all customers. */
  readonly issuer?: string;
}

export const enter = (field: string, address: keyof ConnectionUrls = "redirectUri"): GuideAction => ({
  kind: "enter",
  field,
  address,
});
export const copy = (field: string, target: CopyTarget): GuideAction => ({ kind: "copy", field, target });
export const type = (field: string, value: string): GuideAction => ({ kind: "type", field, value });
export const pairs = (field: string, rows: Readonly<Record<string, string>>): GuideAction => ({
  kind: "pairs",
  field,
  pairs: Object.entries(rows),
});
const repeat = (field: string, target: string): GuideAction => ({ kind: "repeat", field, target });

export const GUIDES: Readonly<Record<Preset, Guide>> = {
  entra_id: {
    issuerFormat: "https://login.microsoftonline.com/<Directory (tenant) ID>/v2.0",
    actions: [
      open("Entra ID", "App registrations", "New registration"),
      select("Supported account types", "Single tenant only"),
      select("Redirect URI", "Web"),
      enter("Redirect URI"),
      choose("Register"),
      copy("Application (client) ID", "client_id"),
      copy("Directory (tenant) ID", "issuer"),
      open("Certificates & secrets", "New client secret"),
      copy("Value", "client_secret"),
      open("Token configuration", "Add optional claim", "ID", "email"),
    ],
  },
  okta: {
    issuerFormat: "https://<Okta domain>",
    actions: [
      open("Applications", "Applications", "Create App Integration"),
      select("Sign-in method", "OIDC - OpenID Connect"),
      select("Application type", "Web Application"),
      enter("Sign-in redirect URIs"),
      select("Controlled access", "Limit access to selected groups"),
      choose("Save"),
      copy("Client ID", "client_id"),
      copy("Client Secret", "client_secret"),
      copy("Okta domain", "issuer"),
      select("Login initiated by", "Either Okta or App"),
      enter("Initiate login URI", "initiateLoginUri"),
    ],
  },
  google_workspace: {
    issuerFormat: "https://accounts.google.com",
    issuer: "https://accounts.google.com",
    actions: [
      open("Google Auth Platform", "Audience"),
      select("User type", "Internal"),
      open("Google Auth Platform", "Clients", "Create client"),
      select("Application type", "Web application"),
      enter("Authorized redirect URIs"),
      choose("Create"),
      copy("Client ID", "client_id"),
      copy("Client secret", "client_secret"),
    ],
  },
  onelogin: {
    issuerFormat: "https://<subdomain>.onelogin.com/oidc/2",
    actions: [
      open("Applications", "Applications", "Add App"),
      choose("OpenId Connect (OIDC)"),
      choose("Save"),
      open("Configuration"),
      enter("Redirect URIs"),
      enter("Login URL", "initiateLoginUri"),
      open("SSO"),
      copy("Client ID", "client_id"),
      copy("Client Secret", "client_secret"),
      copy("Issuer URL", "issuer"),
    ],
  },
  jumpcloud: {
    issuerFormat: "https://oauth.id.jumpcloud.com/",
    issuer: "https://oauth.id.jumpcloud.com/",
    actions: [
      open("SSO Applications", "Add New Application"),
      choose("Custom OIDC App"),
      open("SSO"),
      enter("Redirect URIs"),
      select("Client Authentication Type", "Client Secret Basic"),
      enter("Login URL", "initiateLoginUri"),
      select("Standard Scopes", "Email, Profile"),
      choose("Activate"),
      copy("Client ID", "client_id"),
      copy("Client Secret", "client_secret"),
      open("User Groups"),
    ],
  },
  ping: {
    issuerFormat: "https://auth.pingone.com/<Environment ID>/as",
    actions: [
      open("Applications", "Applications", "Add Application"),
      select("Application Type", "OIDC Web App"),
      open("Configuration"),
      enter("Redirect URIs"),
      enter("Initiate Login URI", "initiateLoginUri"),
      choose("Save"),
      open("Resources"),
      select("Scopes", "email, profile"),
      open("Overview"),
      copy("Client ID", "client_id"),
      copy("Client Secret", "client_secret"),
      copy("Issuer ID", "issuer"),
    ],
  },
  adfs: {
    issuerFormat: "https://<Federation Service name>/adfs",
    actions: [
      open("AD FS", "Application Groups", "Add Application Group"),
      select("Template", "Server application accessing a web API"),
      copy("Client Identifier", "client_id"),
      enter("Redirect URI"),
      choose("Generate a shared secret"),
      copy("Secret", "client_secret"),
      repeat("Client Identifier", "Identifier"),
      type("Permitted scopes", "openid, profile, email, allatclaims"),
      copy("Federation Service name", "issuer"),
    ],
  },
  auth0: {
    issuerFormat: "https://<Domain>/",
    actions: [
      open("Applications", "Applications", "Create Application"),
      choose("Regular Web Applications"),
      open("Settings"),
      copy("Domain", "issuer"),
      copy("Client ID", "client_id"),
      copy("Client Secret", "client_secret"),
      enter("Application Login URI", "initiateLoginUri"),
      enter("Allowed Callback URLs"),
      choose("Save Changes"),
    ],
  },
  keycloak: {
    issuerFormat: "https://<host>/realms/<realm>",
    actions: [
      open("Clients", "Create client"),
      select("Client type", "OpenID Connect"),
      copy("Client ID", "client_id"),
      select("Client authentication", "On"),
      enter("Valid redirect URIs"),
      enter("Home URL", "initiateLoginUri"),
      choose("Save"),
      open("Credentials"),
      copy("Client Secret", "client_secret"),
      open("Realm settings", "OpenID Endpoint Configuration"),
      copy("issuer", "issuer"),
    ],
  },
  custom: {
    issuerFormat: "https://idp.example.com",
    actions: [
      enter("redirect_uris"),
      enter("initiate_login_uri", "initiateLoginUri"),
      select("response_types", "code"),
      copy("issuer", "issuer"),
      copy("client_id", "client_id"),
      copy("client_secret", "client_secret"),
    ],
  },
};
