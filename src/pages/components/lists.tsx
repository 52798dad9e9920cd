import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";

/** A titled part of a page. */
export function Section(props: {
  readonly title: string;
  readonly lead?: string | undefined;
  /** The id of the section, for links to the section. */
  readonly id?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section id={props.id}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft lead">{props.lead}</p>}
      {props.children}
    </section>
  );
}

export function Rows({ children }: { readonly children: ComponentChildren }) {
  return <ul class="rows">{children}</ul>;
}

/** A row: the object, then time and origin, then one action. */
export function Row(props: {
  readonly title: ComponentChildren;
  readonly details?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <li>
      <div class="what">
        <div>{props.title}</div>
        {props.details && <small>{props.details}</small>}
      </div>
      {props.children}
    </li>
  );
}

/** The text of an empty list, with the next step. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <li>
      <div class="what soft">{text}</div>
      {children}
    </li>
  );
}

export function Tag({
  kind,
  children,
}: {
  readonly kind?: "good" | "warn" | "bad" | "on" | "plain";
  readonly children: ComponentChildren;
}) {
  return <span class={kind ? `tag ${kind}` : "tag"}>{children}</span>;
}

/** Relative, with the exact time on hover. */
export function Time({ at }: { readonly at: Date }) {
  const { dates } = useView();
  return (
    <time dateTime={at.toISOString()} title={dates.exact(at)}>
      {dates.relative(at)}
    </time>
  );
}

/** The end date of an object. Days are days of UTC; the exact time is visible on hover. */
export function Until({ at }: { readonly at: Date }) {
  const { t, dates } = useView();
  return (
    <time dateTime={at.toISOString()} title={dates.exact(at)}>
      {t.common.until(dates.day(at))}
    </time>
  );
}

/** Back and forth, by GET. */
export function Pages(props: {
  readonly path: string;
  /** The query parameter of the page number, on a page with several lists. */
  readonly parameter?: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
}) {
  const { t, dates } = useView();
  const { path, parameter = "page", page, pageSize, total } = props;
  if (total <= pageSize) return null;
  const last = Math.ceil(total / pageSize);
  const at = (number: number) => `${path}${path.includes("?") ? "&" : "?"}${parameter}=${number}`;
  return (
    <nav class="pages" aria-label={t.common.pages}>
      {page > 1 && (
        <a class="button" href={at(page - 1)}>
          {t.common.pageBefore}
        </a>
      )}
      <span class="soft num">{t.common.pageOf(dates.number(page), dates.number(last))}</span>
      {page < last && (
        <a class="button" href={at(page + 1)}>
          {t.common.pageAfter}
        </a>
      )}
    </nav>
  );
}
