import type { ComponentChildren } from "preact";
import { type Ancestor, Crumbs } from "./crumbs.tsx";

interface ItemHeadProps {
  /** The list of the item. */
  readonly list: { readonly path: string; readonly title: string };
  readonly name: string;
  /** The name is a key of a program. */
  readonly mono?: boolean;
  readonly tags: ComponentChildren;
  readonly picture?: ComponentChildren;
  /** The main action of the page. */
  readonly children?: ComponentChildren;
}

/** The head of the page of one item of a console list. */
export function ItemHead({ list, name, mono, tags, picture, children }: ItemHeadProps) {
  return (
    <header class="head">
      <div>
        <Crumbs above={[{ href: list.path, text: list.title }]} current={name} />
        <div class="person large">
          {picture}
          <h1>
            {mono ? <span class="mono">{name}</span> : name} {tags}
          </h1>
        </div>
      </div>
      {children}
    </header>
  );
}

interface SubPageHeadProps {
  readonly above: readonly Ancestor[];
  readonly title: string;
  /** The title is a key or a name of a program. */
  readonly mono?: boolean;
  readonly lead?: string;
  readonly tags?: ComponentChildren;
}

/** The head of a page below a list or an item. */
export function SubPageHead({ above, title, mono, lead, tags }: SubPageHeadProps) {
  return (
    <header class="head">
      <div>
        <Crumbs above={above} current={title} />
        <h1>
          {mono ? <span class="mono">{title}</span> : title} {tags}
        </h1>
        {lead && <p class="soft">{lead}</p>}
      </div>
    </header>
  );
}
