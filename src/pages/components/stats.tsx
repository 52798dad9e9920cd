import type { ComponentChildren } from "preact";

/** Figures, each a link to the list that the figure counts. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <ul class="stats">{children}</ul>;
}

interface StatProps {
  readonly href: string;
  readonly name: string;
  readonly value: string;
  /** A comparison, or the total that the figure is a part of. */
  readonly note?: ComponentChildren;
}

export function Stat({ href, name, value, note }: StatProps) {
  return (
    <li>
      <a href={href}>
        <span class="soft">{name}</span>
        <strong class="num">{value}</strong>
        {note && <span class="soft">{note}</span>}
      </a>
    </li>
  );
}
