import { useView } from "../view.tsx";
import { Icon } from "./icon.tsx";

/** A page above the current page. */
export interface Ancestor {
  readonly href: string;
  readonly text: string;
}

/** The way from the list to the current page. */
export function Crumbs({ above, current }: { readonly above: readonly Ancestor[]; readonly current: string }) {
  const { t } = useView();
  return (
    <nav class="crumbs soft" aria-label={t.directory.breadcrumb}>
      {above.map(({ href, text }) => (
        <>
          <a key={href} href={href}>
            {text}
          </a>
          <Icon name="chevron" small directed />
        </>
      ))}
      <span aria-current="page">{current}</span>
    </nav>
  );
}
