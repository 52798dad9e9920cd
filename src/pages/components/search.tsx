import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";

/** Searches a list by GET. `children`: content at the end of the line, such as the main action. */
export function Search(props: {
  readonly path: string;
  readonly label: string;
  readonly q: string;
  /** Values of the address that the form keeps. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}) {
  const { t } = useView();
  const { path, label, q, kept = {} } = props;
  return (
    <div class="toolbar">
      <search>
        <form class="search" method="get" action={path}>
          <label class="sr" for="q">
            {label}
          </label>
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input id="q" name="q" type="search" value={q} placeholder={label} autocomplete="off" />
          <button class="button" type="submit">
            {t.console.search}
          </button>
          {q && (
            <a class="button" href={path}>
              {t.console.showAll}
            </a>
          )}
        </form>
      </search>
      {props.children}
    </div>
  );
}
