/** Links to the parts of a page. */
export interface Tab {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
