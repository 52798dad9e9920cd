import type { ComponentChildren } from "preact";
import { OverflowMenu } from "./overflow.tsx";

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
  /** The name of a last column with menus, for screen readers; undefined without the column. */
  readonly actions?: string | undefined;
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
            {props.actions && (
              <th scope="col">
                <span class="sr">{props.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** The address below the name of a user: a long address is cut, and the title has the whole address. */
export function AddressBelowName({ email }: { readonly email: string }) {
  return (
    <small class="cut" title={email}>
      {email}
    </small>
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

/** The last cell of a row: a menu of actions. */
export function MenuCell({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <td class="end more">
      <OverflowMenu label={label}>{children}</OverflowMenu>
    </td>
  );
}

interface DetailsProps {
  readonly details: readonly (readonly [string, ComponentChildren])[];
}

/** Details of one object, by name. */
export function Details({ details }: DetailsProps) {
  return <NamedValues kind="details" details={details} />;
}

/** Details of one object in a box, in columns. */
export function Facts({ details }: DetailsProps) {
  return <NamedValues kind="in facts" details={details} />;
}

function NamedValues({ kind, details }: DetailsProps & { readonly kind: string }) {
  return (
    <dl class={kind}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
