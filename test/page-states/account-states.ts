/** Pages of a signed-in user and of the organization. */
import type { Reader } from "../support/pages.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { metadataText } from "../support/saml/metadata.ts";
import { wikiRequest } from "./demo.ts";
import { refused, statesOf } from "./page-state.ts";

const state = statesOf("ada");
const member = statesOf("member");
const newcomer = statesOf("newcomer");
const stale = statesOf("stale");
const CONFIRM = "/account/security/confirm";
const NEW_ORGANIZATION = "/account/organizations/new";

const FAILED = "error=conflict&request_id=0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";

async function press({ page }: Reader, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent("domcontentloaded"), page.locator(selector).first().click()]);
}

/** Opens the address of a link that scripts turn into a dialog. */
async function follow(reader: Reader, selector: string): Promise<void> {
  await reader.open(String(await reader.page.locator(selector).first().getAttribute("href")));
}

/** An issuer that unlinks users. */
async function changeIssuer(reader: Reader): Promise<void> {
  await reader.fill({ issuer: "https://login.microsoftonline.com/11111111-5d0f-4d3c-9d0a-6a3f0a2b1c3d/v2.0" });
  await press(reader, "button[value=save-values]");
}

/** Sends a form that another editor has made outdated. */
async function saveOutdated(reader: Reader): Promise<void> {
  await reader.page.locator("input[name=version]").evaluate((input) => input.setAttribute("value", "0"));
  await reader.fill({ name: "Invoice approvers" });
  await press(reader, "button[value=save]");
}

/** Metadata with another key, as a preview. */
async function previewMetadata(reader: Reader): Promise<void> {
  const [location, certificates] = ["https://idp.acme.example/new", [samlKeys.nextIdp().certificate]];
  await reader.fill({ metadata_xml: metadataText({ location, certificates }) });
  await press(reader, "button[value=preview-metadata]");
}

/** A text that is no metadata. */
async function pasteOtherXml(reader: Reader): Promise<void> {
  await reader.fill({ metadata_xml: "<html></html>" });
  await press(reader, "button[value=preview-metadata]");
}

/** Policies with an effect on members, and a network without the reader. */
async function reviewPolicies(reader: Reader): Promise<void> {
  await reader.page.selectOption("[name=mfa]", "required");
  await reader.page.selectOption("[name=start]", "0");
  await reader.fill({ allowed_ips: "192.0.2.0/24", session_max_hours: "1" });
  await press(reader, "button[value=review]");
}

/** An unsigned token with the claims of a foreign repository. */
async function testToken(reader: Reader): Promise<void> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "https://token.actions.githubusercontent.com", repository_id: "64512", ref: "refs/heads/main" };
  await reader.fill({ assertion: `${part({ alg: "none", kid: "1" })}.${part(claims)}.AA` });
  await press(reader, "button[value=test-trust]");
}

async function submitWrongSlug(reader: Reader): Promise<void> {
  await reader.fill({ organization_name: "Acme Labs", slug: "Not a slug" });
  await press(reader, "main form button.primary");
}

async function submitWrongPolicies(reader: Reader): Promise<void> {
  await reader.fill({ allowed_ips: "0.0.0.0/0", session_max_hours: "0" });
  await press(reader, "button[value=review]");
}

export const ACCOUNT_STATES = [
  state("/account", "account"),
  newcomer("/account", "account-newcomer", "/account"),
  newcomer("/verify-email", "verify-email-waiting"),
  state("/account/password", "account-password"),
  state("/account/password/remove", "remove-password"),
  state("/account/email", "email-change", "/account/email?step=change"),
  state("/account/email", "email-add", "/account/email?step=add"),
  state("/account/email", "email-primary", ({ ids }) => `/account/email?step=primary&id=${ids.address}`),
  state("/account/email", "email-remove", ({ ids }) => `/account/email?step=remove&id=${ids.address}`),
  state(NEW_ORGANIZATION, "account-organization"),
  refused(400, state(NEW_ORGANIZATION, "account-organization-refused", NEW_ORGANIZATION, submitWrongSlug)),
  state("/account/export", "account-export"),
  state("/account/delete", "account-delete"),
  newcomer("/account/delete", "account-delete-sole-owner"),
  state("/account/security", "security"),
  newcomer("/account/security", "security-newcomer"),
  state("/account/security/review", "review-none"),
  state("/account/security/unlink", "unlink", ({ ids }) => `/account/security/unlink?id=${ids.identity}`),
  state("/account/security/company-account", "company-account-failed", `/account/security/company-account?${FAILED}`),
  state(
    "/account/security/confirm",
    "confirm-passkey",
    ({ ids }) => `${CONFIRM}?step=delete-passkey&id=${ids.passkey}`,
  ),
  state("/account/security/confirm", "confirm-sessions", `${CONFIRM}?step=revoke-sessions`),
  state("/account/security", "dialog-sessions", "/account/security", async ({ page }) => {
    await page.click("a[data-confirm][href*='revoke-sessions']");
    await page.waitForSelector("dialog[open]");
  }),
  newcomer("/account/security/authenticator", "authenticator", "/account/security", (reader) =>
    press(reader, "main button[value=begin]"),
  ),
  state("/account/security/authenticator/off", "authenticator-off"),
  state("/account/security/recovery-codes", "recovery-codes-new"),
  state("/account/applications", "applications"),
  newcomer("/account/applications", "applications-empty"),
  state("/account/applications/confirm", "confirm-application", "/account/applications", (reader) =>
    follow(reader, "main a[href*='/account/applications/confirm']"),
  ),
  member("/oauth2/consent", "consent", ({ wiki }) => wikiRequest(wiki)),
  newcomer("/oauth2/approval", "approval", ({ wiki }) => wikiRequest(wiki)),
  state("/device", "device"),
  state("/device", "device-compare", "/device?user_code=WDJB-MJHT"),
  state("/device", "device-request", ({ ids }) => `/device?request=${ids.device}`),
  stale("/step-up", "step-up", "/step-up?return_to=/team"),
  newcomer("/step-up", "protect", "/step-up?return_to=/team"),
  state("/sign-out", "sign-out"),
  state("/team", "team"),
  member("/team", "team-member"),
  newcomer("/team", "team-newcomer"),
  state("/team/confirm", "confirm-member", ({ ids }) => `/team/confirm?step=remove&id=${ids.member}`),
  state("/team/confirm", "confirm-invitation", ({ ids }) => `/team/confirm?step=revoke&id=${ids.invitation}`),
  state("/team/confirm", "confirm-join-request", ({ ids }) => `/team/confirm?step=deny-join&id=${ids.joinRequest}`),
  state("/team/confirm", "confirm-members", ({ ids }) => `/team/confirm?step=remove-selected&id=${ids.member}`),
  state("/team/audit", "team-audit", "/team/audit?period=all"),
  state("/team/audit", "team-audit-none", "/team/audit?period=all&action=mfa.reset"),
  refused(400, state("/team/audit", "team-audit-refused", "/team/audit?from=nonsense&action=mfa.reset")),
  refused(403, member("/team/audit", "team-audit-member")),
  state("/team/members/:id", "team-member-roles", ({ ids }) => `/team/members/${ids.member}`),
  state("/team/members/:id/creations", "team-creations", ({ ids }) => `/team/members/${ids.owner}/creations`),
  state("/team/members/:id", "team-member-own", ({ ids }) => `/team/members/${ids.owner}`),
  state("/team/sessions", "team-sessions"),
  refused(403, member("/team/sessions", "team-sessions-member")),
  state("/team/brand", "team-brand"),
  state("/team/brand", "team-brand-preview", "/team/brand", async (reader) => {
    await reader.fill({ accent: "#0f766e" });
    await press(reader, "button[value=preview]");
  }),
  refused(403, member("/team/brand", "team-brand-member")),
  state("/team/roles", "team-roles"),
  newcomer("/team/roles", "team-roles-newcomer"),
  refused(403, member("/team/roles", "team-roles-member")),
  state("/team/roles/new", "team-role-new"),
  refused(
    409,
    state("/team/roles/:id", "team-role-outdated", ({ ids }) => `/team/roles/${ids.role}`, saveOutdated),
  ),
  state("/team/roles/:id", "team-role", ({ ids }) => `/team/roles/${ids.role}`),
  state("/team/roles/:id", "team-role-template", ({ ids }) => `/team/roles/${ids.template}`),
  state("/team/roles/:id", "team-role-built-in", "/team/roles/admin"),
  state("/team/roles/confirm", "confirm-role", ({ ids }) => `/team/roles/confirm?step=delete&id=${ids.role}`),
  state("/team/groups", "team-groups"),
  newcomer("/team/groups", "team-groups-newcomer"),
  state("/team/groups/new", "team-group-new"),
  state("/team/groups/:id", "team-group", ({ ids }) => `/team/groups/${ids.group}`),
  state("/team/groups/:id", "team-group-directory", ({ ids }) => `/team/groups/${ids.directoryGroup}`),
  state("/team/groups/confirm", "confirm-group", ({ ids }) => `/team/groups/confirm?step=delete&id=${ids.group}`),
  state("/team/single-sign-on", "single-sign-on"),
  newcomer("/team/single-sign-on", "single-sign-on-newcomer"),
  state(
    "/team/single-sign-on/confirm",
    "confirm-domain",
    ({ ids }) => `/team/single-sign-on/confirm?step=remove&id=${ids.domain}`,
  ),
  state(
    "/team/single-sign-on/confirm",
    "confirm-connection",
    ({ ids }) => `/team/single-sign-on/confirm?step=delete&id=${ids.connection}`,
  ),
  state("/team/single-sign-on/new", "connection-new"),
  state("/team/single-sign-on/:id", "connection-draft", ({ ids }) => `/team/single-sign-on/${ids.draft}`),
  state("/team/single-sign-on/:id", "connection", ({ ids }) => `/team/single-sign-on/${ids.connection}`),
  refused(
    409,
    state(
      "/team/single-sign-on/:id",
      "connection-unlink",
      ({ ids }) => `/team/single-sign-on/${ids.connection}`,
      changeIssuer,
    ),
  ),
  state(
    "/team/single-sign-on/:id",
    "connection-claims",
    ({ ids }) => `/team/single-sign-on/${ids.connection}?section=mapping`,
  ),
  state(
    "/team/single-sign-on/:id",
    "connection-sign-ins",
    ({ ids }) => `/team/single-sign-on/${ids.connection}?section=attempts`,
  ),
  state(
    "/team/single-sign-on/:id",
    "connection-idle",
    ({ ids }) => `/team/single-sign-on/${ids.draft}?section=attempts`,
  ),
  state(
    "/team/single-sign-on/:id",
    "connection-tested",
    ({ ids }) => `/team/single-sign-on/${ids.unreachable}`,
    async ({ page }) => {
      await page.click("button[value=test]");
      await page.waitForSelector(".dot.bad");
    },
  ),
  state("/team/single-sign-on/:id", "saml-draft", ({ ids }) => `/team/single-sign-on/${ids.samlDraft}`),
  refused(
    400,
    state(
      "/team/single-sign-on/:id",
      "saml-refused",
      ({ ids }) => `/team/single-sign-on/${ids.samlDraft}`,
      pasteOtherXml,
    ),
  ),
  state("/team/single-sign-on/:id", "saml-tested", ({ ids }) => `/team/single-sign-on/${ids.saml}`),
  state("/team/single-sign-on/:id", "saml-preview", ({ ids }) => `/team/single-sign-on/${ids.saml}`, previewMetadata),
  state("/team/single-sign-on/:id", "saml-attributes", ({ ids }) => `/team/single-sign-on/${ids.saml}?section=mapping`),
  state("/team/single-sign-on/policy", "sso-policy"),
  state("/team/directory", "directory"),
  newcomer("/team/directory", "directory-newcomer"),
  state("/team/directory", "directory-groups", "/team/directory?section=groups"),
  state(
    "/team/directory",
    "directory-role",
    ({ ids }) => `/team/directory?section=groups&group=${ids.directoryGroup}&role=admin`,
  ),
  state("/team/directory", "directory-users", "/team/directory?section=users"),
  state("/team/directory", "directory-requests", "/team/directory?section=requests"),
  state("/team/directory", "directory-key", "/team/directory", (reader) => press(reader, "button[value=create-key]")),
  state("/team/directory/confirm", "confirm-directory-pause", "/team/directory/confirm?step=pause"),
  state("/team/applications", "team-applications"),
  refused(403, member("/team/applications", "team-applications-member")),
  state(
    "/team/applications/confirm",
    "confirm-application-end",
    ({ ids }) => `/team/applications/confirm?step=end&id=${ids.wiki}`,
  ),
  state("/team/policies", "policies"),
  refused(403, member("/team/policies", "policies-member")),
  state("/team/policies/edit", "policies-form"),
  state("/team/policies/edit", "policies-review", "/team/policies/edit", reviewPolicies),
  refused(400, state("/team/policies/edit", "policies-refused", "/team/policies/edit", submitWrongPolicies)),
  state("/team/delete", "team-delete"),
  state("/machines", "machines"),
  state("/machines", "webhooks", "/machines?part=webhooks"),
  state("/machines", "webhook", ({ ids }) => `/machines?part=webhooks&webhook=${ids.webhook}`),
  state("/machines", "machines-account-form", "/machines?form=create-account"),
  state("/machines", "machines-key-form", ({ ids }) => `/machines?form=create-key&id=${ids.account}`),
  state("/machines", "machines-trust-presets", ({ ids }) => `/machines?form=create-trust&id=${ids.account}`),
  state("/machines", "machines-trust-form", ({ ids }) => `/machines?form=create-trust&id=${ids.account}&preset=github`),
  state("/machines", "machines-trust", ({ ids }) => `/machines?trust=${ids.account}/${ids.trust}`),
  state("/machines", "machines-trust-tested", ({ ids }) => `/machines?trust=${ids.account}/${ids.trust}`, testToken),
  state("/machines", "machines-webhook-form", "/machines?part=webhooks&form=create-webhook"),
  newcomer("/machines", "machines-newcomer"),
  newcomer("/machines", "webhooks-newcomer", "/machines?part=webhooks"),
  state("/machines/confirm", "confirm-account", ({ ids }) => `/machines/confirm?step=delete-account&id=${ids.account}`),
  state(
    "/machines/confirm",
    "confirm-key",
    ({ ids }) => `/machines/confirm?step=revoke-key&id=${ids.account}/${ids.key}`,
  ),
  state(
    "/machines/confirm",
    "confirm-trust",
    ({ ids }) => `/machines/confirm?step=delete-trust&id=${ids.account}/${ids.trust}`,
  ),
];
