import type { ComponentChildren } from "preact";

/** A head that is a link to the table in a different order. */
export interface SortColumn {
  readonly label: string;
  readonly href: string;
  readonly direction?: "ascending" | "descending" | undefined;
}

/** A table in a box; in a narrow box, each row is a card, and every cell displays its column name. */
export function Table(props: {
  readonly label: string;
  readonly columns: readonly (string | SortColumn)[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="box">
      <table class="table" aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <SortableHead key={column.label} {...column} />
              ),
            )}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

const ARROWS = { ascending: "↑", descending: "↓" } as const;

function SortableHead({ label, href, direction }: SortColumn) {
  return (
    <th scope="col" aria-sort={direction}>
      <a href={href}>
        {label} <span aria-hidden="true">{direction ? ARROWS[direction] : "↕"}</span>
      </a>
    </th>
  );
}

/** `label`: the column, for cards. A cell without a label is the title of the card. */
export function Cell({ label, children }: { readonly label?: string; readonly children: ComponentChildren }) {
  return label === undefined ? <td class="whole">{children}</td> : <td data-label={label}>{children}</td>;
}

/** Details of one object, by name. */
export function Details({ details }: { readonly details: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="details">
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
