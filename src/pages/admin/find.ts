/**
 * `/admin/find`: what the palette of the console finds beside the places of the navigation (islands/palette.ts), as
 * JSON: users, organizations, applications, a request by its id, and settings by name.
 */

import { isUuid } from "../../base/random.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { listAllClients } from "../../flows/oauth/clients/list-clients.ts";
import { searchOrganizations } from "../../flows/organizations/search.ts";
import { searchUsers } from "../../flows/users/search.ts";
import { textReply } from "../../http/reply.ts";
import { PALETTE_FOUND_MAX } from "../../limits/console-limits.ts";
import { applicationName } from "../components/application.tsx";
import { type Page, searchText } from "../page.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type ConsoleCall, consolePage } from "./console.tsx";
import { CLIENTS } from "./oauth-clients/paths.ts";
import { organizationPath } from "./organizations/sections.tsx";
import { PROVIDERS } from "./providers/page.tsx";
import { requestPath } from "./requests.tsx";

const FIND = "/admin/find";

/** An entry of the palette. `kind`: the name of the list, beside the text. */
interface Found {
  readonly href: string;
  readonly text: string;
  readonly kind: string;
}

export function findPage(deps: SignedInUserDeps & Pick<Deps, "reads">): Page {
  return consolePage(deps, {
    path: FIND,
    async get(call) {
      const typed = searchText(call.query);
      const found = typed === "" ? [] : await findEntries(deps, call, typed);
      return textReply(200, "application/json", JSON.stringify(found));
    },
  });
}

async function findEntries(
  deps: SignedInUserDeps & Pick<Deps, "reads">,
  { admin: caller, view }: ConsoleCall,
  typed: string,
): Promise<readonly Found[]> {
  const { t } = view;
  const page = clampPage(1, PALETTE_FOUND_MAX);
  const [users, organizations, clients] = await Promise.all([
    searchUsers(deps, { caller, search: { q: typed }, page }),
    searchOrganizations(deps, { caller, search: { q: typed }, page }),
    listAllClients(deps, { caller, search: { q: typed }, page }),
  ]);
  const ids = isUuid(typed) ? [{ href: requestPath(typed.toLowerCase()), text: typed, kind: t.requests.title }] : [];
  return [
    ...ids,
    ...(users.ok ? users.value.items : []).map(({ userId, email, displayName }) => ({
      href: `/admin/users/${userId}`,
      text: displayName ? `${displayName} (${email})` : email,
      kind: t.users.title,
    })),
    ...(organizations.ok ? organizations.value.items : []).map(({ id, name }) => ({
      href: organizationPath(id),
      text: name,
      kind: t.organizations.title,
    })),
    ...clients.items.map((client) => ({
      href: `${CLIENTS}/${client.id}`,
      text: applicationName(view, identityOf(client)),
      kind: t.clients.title,
    })),
    ...settingsOf(view, typed),
  ];
}

/** The settings, actions and lists that are no place of the navigation, by their names on the pages. */
function settingsOf({ t }: View, typed: string): readonly Found[] {
  const settings: readonly (readonly [href: string, text: string])[] = [
    ["/account/security", t.security.title],
    ["/team/sessions", t.security.sessions],
    ["/team/policies", t.policies.title],
    ["/team/single-sign-on", t.singleSignOn.title],
    ["/team/directory", t.provisioning.title],
    ["/team/brand", t.brand.title],
    ["/admin/oauth-clients/new", t.clients.create],
    ["/admin/resources/new", t.resources.create],
    ["/admin/organizations/new", t.organizations.create],
    ["/admin/users/new", t.directory.newUser],
    [`${PROVIDERS}/email_transport`, t.firstRun.steps.email.title],
  ];
  const isFound = (text: string) => text.toLowerCase().includes(typed.toLowerCase());
  return settings.filter(([, text]) => isFound(text)).map(([href, text]) => ({ href, text, kind: t.clients.settings }));
}
