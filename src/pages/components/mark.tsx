import { storedUrl } from "../../base/stored-url.ts";
import { initialsOf } from "./picture.tsx";

interface MarkProps {
  readonly name: string;
  readonly logoUrl: string | null;
  /** The path of a picture on this service, in place of the logo. */
  readonly picture?: string | undefined;
  readonly small?: boolean;
}

/** The logo of an organization or application, or the initials of the name. Decorative: the name is beside the mark. */
export function Mark({ name, logoUrl, picture, small }: MarkProps) {
  const kind = small ? "mark small" : "mark";
  const logo = picture ?? storedUrl(logoUrl);
  return logo ? (
    <img class={kind} src={logo} alt="" width="48" height="48" />
  ) : (
    <span class={kind} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
