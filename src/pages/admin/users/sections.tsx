/** The sections of a user: one page, with the section in the query. */
import type { ComponentChildren, VNode } from "preact";
import type { Deps } from "../../../deps.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { Picture } from "../../components/picture.tsx";
import type { Fields } from "../../page.ts";
import { SectionFrame, sectionIn, sectionPath } from "../../shared/sections.tsx";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { USERS } from "./list.ts";
import { UserTags } from "./page.tsx";

const SECTIONS = [
  "overview",
  "sessions",
  "factors",
  "providers",
  "applications",
  "organizations",
  "metadata",
  "audit",
] as const;
export type UserSection = (typeof SECTIONS)[number];

/** A call of the page of an existing user. */
export interface UserCall {
  readonly deps: SignedInUserDeps & Pick<Deps, "reads">;
  readonly call: ConsoleCall;
  readonly user: Profile;
  /** Whether actions are offered: never on the own account. */
  readonly acts: boolean;
}

export type ReadSection = (call: UserCall) => Promise<VNode>;

export function userSectionIn(query: Fields): UserSection {
  return sectionIn(query, SECTIONS);
}

/** The address of a section of a user. */
export function userPath(id: string, section: UserSection = "overview"): string {
  return sectionPath(`${USERS}/${id}`, section);
}

export function sectionName(t: Texts, section: UserSection): string {
  return section === "audit" ? t.audit.title : t.directory[section];
}

export function nameOf({ displayName, email }: Profile): string {
  return displayName ?? email;
}

interface FrameProps {
  readonly user: Profile;
  readonly section: UserSection;
  readonly isSelf: boolean;
  readonly children: ComponentChildren;
}

/** The head of a user, and the links to the sections. */
export function UserFrame({ user, section, isSelf, children }: FrameProps) {
  const { t } = useView();
  const list = { path: USERS, title: t.users.title };
  return (
    <SectionFrame
      head={{ list, name: nameOf(user), tags: <UserTags user={user} />, picture: <Picture profile={user} /> }}
      path={userPath(user.userId)}
      sections={SECTIONS.map((each) => [each, sectionName(t, each)])}
      current={section}
    >
      {isSelf && <p class="note">{t.users.own}</p>}
      {children}
    </SectionFrame>
  );
}
