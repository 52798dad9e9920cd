/** The sections of an organization: one page, with the section in the query. */
import type { ComponentChildren, VNode } from "preact";
import type { Deps, SessionDeps } from "../../../deps.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { FormState } from "../../components/form.tsx";
import { Mark } from "../../components/mark.tsx";
import type { Fields } from "../../page.ts";
import { SectionFrame, sectionIn, sectionPath } from "../../shared/sections.tsx";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { ORGANIZATIONS } from "./list.ts";
import { SuspendedTag } from "./page.tsx";

const SECTIONS = [
  "overview",
  "members",
  "invitations",
  "applications",
  "sso",
  "scim",
  "policies",
  "flags",
  "audit",
] as const;
export type OrganizationSection = (typeof SECTIONS)[number];

/** A call of the page of an existing organization. `state`: a refused form of the section. */
export interface OrganizationCall {
  readonly deps: SessionDeps & Pick<Deps, "reads" | "featureFlags">;
  readonly call: ConsoleCall;
  readonly organization: Organization;
  readonly acts: boolean;
  readonly state: FormState;
}

export type ReadSection = (call: OrganizationCall) => Promise<VNode>;

export function organizationSectionIn(query: Fields): OrganizationSection {
  return sectionIn(query, SECTIONS);
}

/** The address of a section of an organization. */
export function organizationPath(
  id: string,
  section: OrganizationSection = "overview",
  values: Readonly<Record<string, string>> = {},
): string {
  return sectionPath(`${ORGANIZATIONS}/${id}`, section, values);
}

export function sectionName(t: Texts, section: OrganizationSection): string {
  if (section === "flags") return t.flags.title;
  if (section === "sso") return t.singleSignOn.title;
  if (section === "scim") return t.provisioning.title;
  if (section === "policies") return t.policies.title;
  return section === "audit" ? t.audit.title : t.directory[section];
}

interface FrameProps {
  readonly organization: Organization;
  readonly section: OrganizationSection;
  /** The path of the logo; undefined for an organization without a logo. */
  readonly logo: string | undefined;
  readonly children: ComponentChildren;
}

/** The head of an organization, and the links to the sections. */
export function OrganizationFrame({ organization, section, logo, children }: FrameProps) {
  const { t } = useView();
  const { id, name, suspended } = organization;
  const list = { path: ORGANIZATIONS, title: t.organizations.title };
  return (
    <SectionFrame
      head={{
        list,
        name,
        tags: <SuspendedTag suspended={suspended} />,
        picture: <Mark name={name} logoUrl={null} picture={logo} />,
      }}
      path={organizationPath(id)}
      sections={SECTIONS.map((each) => [each, sectionName(t, each)])}
      current={section}
    >
      {children}
    </SectionFrame>
  );
}
