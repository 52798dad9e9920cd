import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";
import { Icon } from "./icon.tsx";

export interface SelectFilter {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Value and text. The first option has no value and filters nothing. */
  readonly options: readonly (readonly [string, string])[];
}

export interface FiltersProps {
  readonly path: string;
  /** Label and value of the search field; undefined: no search field. */
  readonly search?: { readonly label: string; readonly q: string } | undefined;
  /** Fields beside the search field. */
  readonly beside?: ComponentChildren;
  readonly selects: readonly SelectFilter[];
  /** Name, label and value of the date fields. */
  readonly days?: readonly (readonly [string, string, string])[];
  /** Values of the address that the form keeps. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The address without filters. Default: `path`. */
  readonly clear?: string;
  /** Whether a filter is set: displays the link that clears the filters. */
  readonly filtered: boolean;
  readonly children?: ComponentChildren;
}

/** Search and filters of a list, by GET. */
export function Filters(props: FiltersProps) {
  const { t } = useView();
  const { path, search, selects, days = [], kept = {}, filtered, clear = path, beside, children } = props;
  return (
    <search>
      <form class="filters" method="get" action={path}>
        {search && (
          <div class="inset">
            <Icon name="search" small />
            <input name="q" type="search" value={search.q} aria-label={search.label} placeholder={search.label} />
          </div>
        )}
        {beside}
        {selects.map((filter) => (
          <Select key={filter.name} {...filter} />
        ))}
        {days.length > 0 && (
          <div class="days">
            {days.map(([name, label, value]) => (
              <label key={name} class="soft">
                {label} <input type="date" name={name} value={value} />
              </label>
            ))}
          </div>
        )}
        {children}
        {Object.entries(kept).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
        <button class="button" type="submit">
          {t.lists.apply}
        </button>
        {filtered && (
          <a class="button" href={clear}>
            {t.lists.clear}
          </a>
        )}
      </form>
    </search>
  );
}

export function Select({ name, label, value, options }: SelectFilter) {
  return (
    <select name={name} aria-label={label}>
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
