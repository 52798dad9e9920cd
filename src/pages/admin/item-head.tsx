import type { ComponentChildren } from "preact";

interface ItemHeadProps {
  /** The list of the item. */
  readonly list: { readonly path: string; readonly title: string };
  readonly name: string;
  readonly tags: ComponentChildren;
}

/** The head of the page of one item of a console list. */
export function ItemHead({ list, name, tags }: ItemHeadProps) {
  return (
    <header class="head">
      <p>
        <a href={list.path}>{list.title}</a>
      </p>
      <h1>
        {name} {tags}
      </h1>
    </header>
  );
}
