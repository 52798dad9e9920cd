/** Pages of the platform console. */
import { EMAIL_KINDS } from "../../src/models/email/email.ts";
import type { Demo } from "./demo.ts";
import { refused, statesOf } from "./page-state.ts";

const state = statesOf("ada");
const ORGANIZATION = "/admin/organizations/:id";
const USER = "/admin/users/:id";
const CLIENT = "/admin/oauth-clients/:id";
const PRODUCTS = "/admin/oauth-clients/products";
const API_PRODUCTS = "/admin/resources/products";
const RESOURCE = "/admin/resources/:id";
const TOKENS = "/admin/registration-tokens";
const ORGANIZATION_SECTIONS = [
  "overview",
  "members",
  "invitations",
  "applications",
  "sso",
  "scim",
  "policies",
  "flags",
  "audit",
];
const USER_SECTIONS = [
  "overview",
  "sessions",
  "factors",
  "providers",
  "applications",
  "organizations",
  "metadata",
  "audit",
];
const LISTS = [
  "organizations",
  "users",
  "deletions",
  "providers",
  "oauth-clients",
  "resources",
  "flags",
  "emails",
] as const;

const at = (prefix: string, id: string, rest = "") => {
  return ({ ids }: Demo) => `${prefix}/${ids[id]}${rest}`;
};
const slugOf = (kind: string) => kind.replaceAll("_", "-");

export const CONSOLE_STATES = [
  state("/admin", "admin"),
  state("/admin", "admin-quarter", "/admin?period=quarter"),
  ...LISTS.map((list) => state(`/admin/${list}`, `admin-${list}`)),
  state("/admin/users", "admin-users-none", "/admin/users?q=nobody-at-all"),
  state("/admin/users", "admin-users-filtered", "/admin/users?status=disabled"),
  state("/admin/organizations/new", "admin-organization-new"),
  ...ORGANIZATION_SECTIONS.map((section) =>
    state(
      ORGANIZATION,
      `admin-organization-${section}`,
      at("/admin/organizations", "organization", `?section=${section}`),
    ),
  ),
  state(`${ORGANIZATION}/confirm`, "confirm-suspend", at("/admin/organizations", "contoso", "/confirm?step=suspend")),
  state("/admin/users", "admin-users-selected", "/admin/users", (reader) =>
    reader.page.locator("[data-select]").first().check(),
  ),
  state(
    "/admin/users/confirm",
    "confirm-users",
    ({ ids }) => `/admin/users/confirm?step=disable-selected&id=${ids.grace}`,
  ),
  state("/admin/users/new", "admin-user-new"),
  state("/admin/users/new", "admin-user-new-account", "/admin/users/new?way=account"),
  ...USER_SECTIONS.map((section) =>
    state(USER, `admin-user-${section}`, at("/admin/users", "owner", `?section=${section}`)),
  ),
  state(USER, "admin-user-other", at("/admin/users", "grace")),
  state(`${USER}/confirm`, "confirm-disable", at("/admin/users", "grace", "/confirm?step=disable")),
  state("/admin/deletions/new", "admin-deletion-new", ({ ids }) => `/admin/deletions/new?type=user&id=${ids.grace}`),
  state("/admin/providers/:provider", "admin-provider", "/admin/providers/oauth_idp_a"),
  state("/admin/oauth-clients/new", "admin-client-presets"),
  state("/admin/oauth-clients/new", "admin-client-new", "/admin/oauth-clients/new?preset=web"),
  state(PRODUCTS, "admin-products"),
  state(PRODUCTS, "admin-product", `${PRODUCTS}?preset=grafana`),
  state(PRODUCTS, "admin-product-connected", `${PRODUCTS}?preset=outline`, async ({ page }) => {
    await page.fill("[name='input:url']", "https://outline.example.com");
    await page.click("main form button.primary");
    await page.waitForSelector("#setup");
  }),
  state(CLIENT, "admin-client", at("/admin/oauth-clients", "wiki")),
  state(`${CLIENT}/confirm`, "confirm-client", at("/admin/oauth-clients", "wiki", "/confirm?step=delete")),
  state(`${CLIENT}/connect`, "admin-client-connect", at("/admin/oauth-clients", "wiki", "/connect")),
  state(`${ORGANIZATION}/brand`, "admin-organization-brand", at("/admin/organizations", "organization", "/brand")),
  state(`${CLIENT}/brand`, "admin-client-brand", at("/admin/oauth-clients", "wiki", "/brand")),
  state(`${CLIENT}/claims`, "admin-client-claims", at("/admin/oauth-clients", "wiki", "/claims")),
  state(
    `${CLIENT}/claims`,
    "admin-client-claims-preview",
    at("/admin/oauth-clients", "wiki", "/claims"),
    async ({ page }, { people }) => {
      await page.fill("[name=user]", people.ada.email);
      await page.click("[name=step][value=preview]");
      await page.waitForSelector("#claims-id_token");
    },
  ),
  state(`${CLIENT}/claims/edit`, "admin-client-claim", at("/admin/oauth-clients", "wiki", "/claims/edit?claim=groups")),
  state(
    `${CLIENT}/claims/confirm`,
    "confirm-client-claim",
    at("/admin/oauth-clients", "wiki", "/claims/confirm?step=delete-claim/groups"),
  ),
  state(TOKENS, "admin-registration-tokens"),
  state(TOKENS, "admin-registration-token-made", TOKENS, async ({ page }) => {
    await page.fill("[name=name]", "Build farm");
    await page.click("[name=step][value=create]");
    await page.waitForSelector(".codes");
  }),
  state(
    `${TOKENS}/confirm`,
    "confirm-registration-token",
    ({ ids }) => `${TOKENS}/confirm?id=${ids.registrationToken}`,
  ),
  state("/admin/blocked-hosts", "admin-blocked-hosts"),
  state("/admin/blocked-hosts/confirm", "confirm-blocked-host", "/admin/blocked-hosts/confirm?id=*.phishing.example"),
  state("/admin/resources/new", "admin-resource-new"),
  state(API_PRODUCTS, "admin-api-products"),
  state(API_PRODUCTS, "admin-api-product", `${API_PRODUCTS}?preset=hasura`),
  state(RESOURCE, "admin-resource", at("/admin/resources", "resource")),
  state(`${RESOURCE}/connect`, "admin-resource-connect", at("/admin/resources", "resource", "/connect")),
  state(`${RESOURCE}/scope`, "admin-scope", at("/admin/resources", "resource", "/scope?name=invoices:read")),
  state(`${RESOURCE}/claims`, "admin-resource-claims", at("/admin/resources", "resource", "/claims")),
  state(`${RESOURCE}/claims/edit`, "admin-resource-claim", at("/admin/resources", "resource", "/claims/edit")),
  state(
    `${RESOURCE}/claims/confirm`,
    "confirm-resource-claim",
    at("/admin/resources", "resource", "/claims/confirm?step=delete-claim/tier"),
  ),
  state("/admin/roles", "admin-roles"),
  state("/admin/roles/new", "admin-role-new"),
  state("/admin/roles/:id", "admin-role", at("/admin/roles", "template")),
  state("/admin/roles/:id/confirm", "confirm-template", at("/admin/roles", "template", "/confirm?step=delete")),
  state(`${RESOURCE}/confirm`, "confirm-resource", at("/admin/resources", "resource", "/confirm?step=delete")),
  state("/admin/flags/edit", "admin-flag-new"),
  state("/admin/flags/edit", "admin-flag", "/admin/flags/edit?key=new-dashboard"),
  state("/admin/machines", "admin-machines"),
  state(
    "/admin/machines",
    "admin-machines-trust-form",
    ({ ids }) => `/admin/machines?form=create-trust&id=${ids.platformAccount}&preset=other`,
  ),
  state("/admin/machines", "admin-webhooks", "/admin/machines?part=webhooks"),
  state(
    "/admin/machines/confirm",
    "confirm-platform-account",
    ({ ids }) => `/admin/machines/confirm?step=delete-account&id=${ids.platformAccount}`,
  ),
  state("/admin/emails/:kind", "admin-email", "/admin/emails/invitation"),
  ...EMAIL_KINDS.map((kind) =>
    state("/admin/emails/:kind/html", `email-${slugOf(kind)}`, `/admin/emails/${kind}/html`),
  ),
  state("/admin/audit", "admin-audit"),
  refused(400, state("/admin/audit", "admin-audit-refused", "/admin/audit?from=nonsense&action=mfa.reset")),
  state("/admin/requests", "admin-requests"),
  state("/admin/requests/:request_id", "admin-request", at("/admin/requests", "request")),
];
