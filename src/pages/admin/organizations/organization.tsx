import { resolveBrand } from "../../../flows/brand/resolve-brand.ts";
import { readOrganization } from "../../../flows/organizations/administer.ts";
import { resultText } from "../../action.ts";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, textAt } from "../../page.ts";
import { logoPath } from "../../page-brand.ts";
import type { SiteDeps } from "../../view.tsx";
import { auditSection } from "../audit/section.tsx";
import { mayAct, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import {
  type OrganizationDeps,
  type OrganizationInput,
  organizationActions,
  type RefusedSection,
  suspend,
} from "./actions.ts";
import { readApplications } from "./applications.tsx";
import { readOrganizationDirectory } from "./directory.tsx";
import { readFlags } from "./flags.tsx";
import { readInvitations } from "./invitations-section.tsx";
import { ORGANIZATIONS } from "./list.ts";
import { readMembers } from "./members.tsx";
import { readOverview } from "./overview.tsx";
import { readOrganizationPolicies } from "./policies-section.tsx";
import {
  OrganizationFrame,
  type OrganizationSection,
  organizationPath,
  organizationSectionIn,
  type ReadSection,
  sectionName,
} from "./sections.tsx";
import { readSingleSignOn } from "./single-sign-on.tsx";

const READ_SECTION: Readonly<Record<OrganizationSection, ReadSection>> = {
  overview: readOverview,
  members: readMembers,
  invitations: readInvitations,
  applications: readApplications,
  sso: readSingleSignOn,
  scim: readOrganizationDirectory,
  policies: readOrganizationPolicies,
  flags: readFlags,
  audit: ({ deps, call, organization: { id } }) =>
    auditSection(deps, call, { organization_id: id }, organizationPath(id)),
};

/** `/admin/organizations/:id`: overview, members, invitations, applications, policies, feature flags, audit trail. */
export function organizationPages(deps: OrganizationDeps): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/organizations/:id",
    confirm: { path: "/admin/organizations/:id/confirm" },
    list: ORGANIZATIONS,
    read: ({ call: { admin, params } }) => readOrganization(deps, admin, params.id ?? ""),
    frame: consoleFrame(ORGANIZATIONS),
    actions: organizationActions,
    place: ({ target }) => organizationPath(target.id),
    defaultQuestion: suspend.step,
    get: (input) => show(input, { section: organizationSectionIn(input.call.query), state: {} }),
    show,
  });
}

async function show(
  { deps, call, target: organization }: OrganizationInput,
  { section, state }: RefusedSection,
  parts: DisplayedParts = {},
) {
  const content = await READ_SECTION[section]({ deps, call, organization, acts: mayAct(call.admin), state });
  const { name } = organization;
  const { t } = call.view;
  const title = section === "overview" ? name : t.directory.titleOf({ section: sectionName(t, section), name });
  const body = (
    <OrganizationFrame organization={organization} section={section} logo={await logoOf(deps, organization.id)}>
      {content}
    </OrganizationFrame>
  );
  const islands = ["confirm", "local-times", "selection"] as const;
  const done =
    resultText(call.view, organizationActions, call.result) ??
    textAt({ created: t.organizations.created }, call.result);
  return showConsole(call, { at: ORGANIZATIONS, inside: true, title, body, done, islands, ...parts });
}

/** The path of the logo of an organization; undefined without a logo. */
async function logoOf(deps: SiteDeps, organizationId: string): Promise<string | undefined> {
  const brand = await resolveBrand(deps, { organizationId });
  const hash = brand?.logoHash ?? brand?.logoDarkHash;
  return hash === undefined ? undefined : logoPath(deps, hash);
}
