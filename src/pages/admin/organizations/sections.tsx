/** The sections of an organization: one page, with the section in the query. */
import type { ComponentChildren, VNode } from "preact";
import type { Deps, SessionDeps } from "../../../deps.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { FormState } from "../../components/form.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { type Fields, pathWith } from "../../page.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { ItemHead } from "../item-head.tsx";
import { ORGANIZATIONS } from "./list.ts";
import { SuspendedTag } from "./page.tsx";

const SECTIONS = ["overview", "members", "invitations", "applications", "flags", "audit"] as const;
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

/** An unknown section is the overview. */
export function organizationSectionIn(query: Fields): OrganizationSection {
  return SECTIONS.find((each) => each === query.text("section")) ?? "overview";
}

/** The address of a section of an organization. */
export function organizationPath(
  id: string,
  section: OrganizationSection = "overview",
  values: Readonly<Record<string, string>> = {},
): string {
  return pathWith(`${ORGANIZATIONS}/${id}`, { section: section === "overview" ? "" : section, ...values });
}

export function sectionName(t: Texts, section: OrganizationSection): string {
  if (section === "flags") return t.flags.title;
  return section === "audit" ? t.audit.title : t.directory[section];
}

interface FrameProps {
  readonly organization: Organization;
  readonly section: OrganizationSection;
  readonly children: ComponentChildren;
}

/** The head of an organization, and the links to its sections. */
export function OrganizationFrame({ organization, section, children }: FrameProps) {
  const { t } = useView();
  const { id, name, suspended } = organization;
  const list = { path: ORGANIZATIONS, title: t.organizations.title };
  const tabs = SECTIONS.map((each) => ({
    href: organizationPath(id, each),
    text: sectionName(t, each),
    isCurrent: each === section,
  }));
  return (
    <>
      <ItemHead list={list} name={name} tags={<SuspendedTag suspended={suspended} />} />
      <Tabs label={t.directory.sectionsOf(name)} tabs={tabs} />
      {children}
    </>
  );
}
