import type { ComponentChildren } from "preact";
import { Done } from "../components/form.tsx";

interface ItemHeadProps {
  /** The list of the item. */
  readonly list: { readonly path: string; readonly title: string };
  readonly name: string;
  readonly tags: ComponentChildren;
  /** The result of the last action, if any. */
  readonly done: string | undefined;
}

/** The head of the page of one item of a console list. */
export function ItemHead({ list, name, tags, done }: ItemHeadProps) {
  return (
    <>
      <header class="head">
        <p>
          <a href={list.path}>{list.title}</a>
        </p>
        <h1>
          {name} {tags}
        </h1>
      </header>
      <Done text={done} />
    </>
  );
}
