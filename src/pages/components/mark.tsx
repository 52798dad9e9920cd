import { initialsOf } from "./picture.tsx";

/** The displayed identity of a registered application. */
export interface Application {
  readonly name: string;
  readonly logoUrl: string | null;
}

/** The logo of an application, or the initials of the name. Decorative: the name is beside the mark. */
export function Mark({ name, logoUrl, small }: Application & { readonly small?: boolean }) {
  const kind = small ? "mark small" : "mark";
  return logoUrl ? (
    <img class={kind} src={logoUrl} alt="" width="48" height="48" />
  ) : (
    <span class={kind} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
