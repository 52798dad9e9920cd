import { Icon } from "./icon.tsx";

export interface CreateLinkProps {
  readonly href: string;
  readonly text: string;
  /** With scripts, a dialog contains the form. */
  readonly inDialog?: boolean;
}

/** The main action of a list: the page that creates a row. */
export function CreateLink({ href, text, inDialog = false }: CreateLinkProps) {
  return (
    <a class="button primary" href={href} data-confirm={inDialog ? "yes" : undefined}>
      <Icon name="plus" />
      {text}
    </a>
  );
}
