/** Pages of a set-up link: the invitation, the tasks, the steps of a connection. */

import type { Reader } from "../support/pages.ts";
import { SAME_ORIGIN } from "../support/pages.ts";
import type { Demo } from "./demo.ts";
import { refused, statesOf } from "./page-state.ts";

const state = statesOf("visitor");
const TASKS = ["domains", "connection", "directory"];

/** A link of the owner; a state that begins a link has a link of its own, because a link begins once. */
async function createLink({ people: { ada } }: Demo): Promise<string> {
  const created = await ada.client.post(`/v1/orgs/${ada.organizationId}/sso/setup-links`, { intents: TASKS });
  if (created.status !== 201) throw new Error(`a set-up link returned ${created.status}: ${created.text}`);
  return created.body.url;
}

/** Ends the links of earlier states: an organization has five live links. */
async function revokeLinks({ sql, people: { ada } }: Demo): Promise<void> {
  await sql`
    update sso_setup_links set ended_at = now(), end_reason = 'revoked'
    where organization_id = ${ada.organizationId} and ended_at is null`;
}

async function invite({ page }: Reader, demo: Demo): Promise<void> {
  await revokeLinks(demo);
  await page.goto(await createLink(demo));
}

/** Begins, and opens a page of the link. `preset`: creates the connection first, with the protocol of its console. */
const opened =
  (path: string, preset?: string) =>
  async (reader: Reader, demo: Demo): Promise<void> => {
    await invite(reader, demo);
    await reader.page.request.post(`${demo.origin}/setup`, { form: { step: "begin" }, headers: SAME_ORIGIN });
    if (preset) {
      const form = { preset, protocol: "recommended" };
      await reader.page.request.post(`${demo.origin}/setup/connection`, { form, headers: SAME_ORIGIN });
    }
    await reader.open(path);
  };

/** The link for a colleague, in place of the access of this browser. */
async function passOn(reader: Reader, demo: Demo): Promise<void> {
  await opened("/setup")(reader, demo);
  await reader.page.locator("details.fold").evaluate((fold: HTMLDetailsElement) => {
    fold.open = true;
  });
  await reader.press("Get a new link");
}

export const SETUP_STATES = [
  refused(401, state("/setup", "setup-ended")),
  state("/setup", "setup-invitation", "/error", invite),
  state("/setup", "setup-tasks", "/error", opened("/setup")),
  state("/setup/domains", "setup-domains", "/error", opened("/setup/domains")),
  state("/setup/connection", "setup-choice", "/error", opened("/setup/connection")),
  state("/setup/connection", "setup-console", "/error", opened("/setup/connection?step=console-1", "okta")),
  state("/setup/connection", "setup-change", "/error", opened("/setup/connection?step=provider", "okta")),
  state("/setup/connection", "setup-values", "/error", opened("/setup/connection?step=values", "okta")),
  state("/setup/connection", "setup-values-oidc", "/error", opened("/setup/connection?step=values", "auth0")),
  state("/setup/connection", "setup-domain", "/error", opened("/setup/connection?step=domain", "okta")),
  state("/setup/connection", "setup-test", "/error", opened("/setup/connection?step=test", "okta")),
  state("/setup/connection", "setup-activation", "/error", opened("/setup/connection?step=activation", "okta")),
  state("/setup/connection", "setup-custom", "/error", opened("/setup/connection?step=console-1", "custom")),
  state("/setup", "setup-passed-on", "/error", passOn),
  state("/setup/directory", "setup-directory", "/error", opened("/setup/directory")),
];
