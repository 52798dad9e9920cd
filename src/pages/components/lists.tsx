import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";
import { type IconName, Tile } from "./icon.tsx";

interface SectionProps {
  readonly title: string;
  readonly lead?: string | undefined;
  /** The id of the section, for links to the section. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a page, below the title. */
export function Section({ title, lead, id, children }: SectionProps) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {lead && <p class="soft lead">{lead}</p>}
      {children}
    </section>
  );
}

/** A titled part of a page with settings. Beside the title where the width suffices. */
export function Setting({ title, lead, id, children }: SectionProps) {
  return (
    <section id={id} class="setting">
      <header>
        <h2>{title}</h2>
        {lead && <p>{lead}</p>}
      </header>
      <div class="stack">{children}</div>
    </section>
  );
}

export function Rows({ children }: { readonly children: ComponentChildren }) {
  return <ul class="rows">{children}</ul>;
}

/** A row: the object, then time and origin, then one action. */
export function Row(props: {
  /** The icon before the title. */
  readonly tile?: ComponentChildren;
  readonly title: ComponentChildren;
  readonly details?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <li>
      {props.tile}
      <div class="what">
        <div>{props.title}</div>
        {props.details && <small>{props.details}</small>}
      </div>
      {props.children}
    </li>
  );
}

/** A row with one sentence, such as an effect of the action of the page. */
export function SentenceRow({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <li>
      <Tile name={icon} />
      <span class="what">{text}</span>
    </li>
  );
}

interface EmptyBoxProps {
  readonly icon: IconName;
  readonly text: string;
  /** The button of the next step. */
  readonly children?: ComponentChildren;
}

/** In place of an empty list: the cause and the next step. */
export function EmptyBox({ icon, text, children }: EmptyBoxProps) {
  return (
    <div class="empty">
      <Tile name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}

/** The text of an empty list beside other rows, with the next step. */
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
      {t.common.until({ day: dates.day(at) })}
    </time>
  );
}

interface PagesProps {
  readonly path: string;
  /** The query parameter of the page number, on a page with several lists. */
  readonly parameter?: string;
  /** The name of the list, on a page with several lists. */
  readonly list?: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** The offered page sizes, with the address of each; absent: a fixed size. */
  readonly sizes?: readonly (readonly [number, string])[];
}

/** First, previous, next and last page, and the page size, by GET. */
export function Pages({ path, parameter = "page", list, page, pageSize, total, sizes }: PagesProps) {
  const { t, dates } = useView();
  const smallest = sizes?.[0]?.[0] ?? pageSize;
  if (total <= smallest) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const at = (number: number) => `${path}${path.includes("?") ? "&" : "?"}${parameter}=${number}`;
  return (
    <nav class="pages" aria-label={list === undefined ? t.common.pages : `${t.common.pages}: ${list}`}>
      {page > 2 && <PageLink href={at(1)} text={t.lists.first} />}
      {page > 1 && <PageLink href={at(page - 1)} text={t.common.pageBefore} />}
      <span class="soft num">{t.common.pageOf({ page: dates.number(page), last: dates.number(last) })}</span>
      {page < last && <PageLink href={at(page + 1)} text={t.common.pageAfter} />}
      {page < last - 1 && <PageLink href={at(last)} text={t.lists.last} />}
      {sizes && <PageSizes sizes={sizes} pageSize={pageSize} />}
    </nav>
  );
}

function PageLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <a class="button" href={href}>
      {text}
    </a>
  );
}

function PageSizes({ sizes, pageSize }: Required<Pick<PagesProps, "sizes">> & Pick<PagesProps, "pageSize">) {
  const { t } = useView();
  return (
    <span class="segments">
      <span class="sr">{t.lists.pageSize}</span>
      {sizes.map(([size, href]) => (
        <a key={size} href={href} aria-current={size === pageSize ? "true" : undefined}>
          {size}
        </a>
      ))}
    </span>
  );
}
