/** The pages in the states that pictures and checks display. */
import type { PagePath } from "../support/page-list.ts";
import { ACCOUNT_STATES } from "./account-states.ts";
import { CONSOLE_STATES } from "./console-states.ts";
import type { PageState } from "./page-state.ts";
import { SETUP_STATES } from "./setup-states.ts";
import { VISITOR_STATES } from "./visitor-states.ts";

export const STATES: readonly PageState[] = [...VISITOR_STATES, ...SETUP_STATES, ...ACCOUNT_STATES, ...CONSOLE_STATES];

/** Emails in a sandbox that runs no script of a check; test/providers/email-layout.test.ts checks emails. */
const SANDBOXED: readonly PagePath[] = ["/dev/mail/:id", "/admin/emails/:kind/html"];

/** The states with checks. */
export const CHECKED_STATES = STATES.filter(({ page }) => !SANDBOXED.includes(page));

/** Paths without a page to look at. */
export const WITHOUT_LOOKS: Partial<Record<PagePath, string>> = {
  "/": "a redirect",
  "/auth/continue": "continues at once",
  "/language": "a form",
  "/step-up/continue": "continues at once",
  "/account/picture": "receives a file",
  "/setup/connection/metadata": "receives a file",
  "/team/single-sign-on/:id/metadata": "receives a file",
  "/team/brand/logo": "receives a file",
  "/team/brand/logo-dark": "receives a file",
  "/admin/organizations/:id/brand/logo": "receives a file",
  "/admin/organizations/:id/brand/logo-dark": "receives a file",
  "/admin/oauth-clients/:id/brand/logo": "receives a file",
  "/admin/oauth-clients/:id/brand/logo-dark": "receives a file",
  "/admin/organizations/export": "a download",
  "/admin/users/export": "a download",
  "/admin/oauth-clients/export": "a download",
  "/admin/resources/export": "a download",
  "/admin/flags/export": "a download",
  "/admin/audit/export": "a download",
  "/admin/find": "JSON for a script",
  "/assets/:file": "a file",
  "/favicon.ico": "a file",
  "/apple-touch-icon.png": "a file",
  "/.well-known/change-password": "a redirect",
};
