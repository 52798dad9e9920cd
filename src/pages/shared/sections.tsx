/** The sections of an item of the console: one page, with the section in the query. */
import type { ComponentChildren } from "preact";
import { ItemHead } from "../components/item-head.tsx";
import { Tabs } from "../components/tabs.tsx";
import { type Fields, pathWith } from "../page.ts";
import { useView } from "../view.tsx";

const FIRST = "overview";

/** An unknown section is the overview. */
export function sectionIn<Section extends string>(query: Fields, sections: readonly Section[]): Section | typeof FIRST {
  return sections.find((each) => each === query.text("section")) ?? FIRST;
}

/** The address of a section of the item at `path`. */
export function sectionPath(path: string, section: string, values: Readonly<Record<string, string>> = {}): string {
  return pathWith(path, { section: section === FIRST ? "" : section, ...values });
}

interface SectionFrameProps {
  readonly head: Omit<Parameters<typeof ItemHead>[0], "children">;
  /** The address of the item. */
  readonly path: string;
  /** Section and name, in the order of the links. */
  readonly sections: readonly (readonly [section: string, name: string])[];
  readonly current: string;
  readonly children: ComponentChildren;
}

/** The head of an item, the links to the sections, and the current section. */
export function SectionFrame({ head, path, sections, current, children }: SectionFrameProps) {
  const { t } = useView();
  const tabs = sections.map(([section, text]) => ({
    href: sectionPath(path, section),
    text,
    isCurrent: section === current,
  }));
  return (
    <>
      <ItemHead {...head} />
      <Tabs label={t.directory.sectionsOf({ name: head.name })} tabs={tabs} />
      {children}
    </>
  );
}
