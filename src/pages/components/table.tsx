import type { ComponentChildren } from "preact";

/** A table that becomes a list of cards on a phone; on a card, every cell displays its column name. */
export function Table(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <table class="table" aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}

/** `label`: the column, for phones. A cell without a label is the title of the card. */
export function Cell({ label, children }: { readonly label?: string; readonly children: ComponentChildren }) {
  return <td data-label={label}>{children}</td>;
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
