import { useView } from "../view.tsx";
import { initialsOf } from "./picture.tsx";

/** The name and logo of the brand. `area`: the part of the service, beside the name. */
export function Brand({ area }: { readonly area?: string | undefined }) {
  const { brand } = useView();
  return (
    <p class="brand">
      <BrandMark {...brand} />
      <span>{brand.name}</span>
      {area && <span class="area">{area}</span>}
    </p>
  );
}

interface MarkProps {
  readonly name: string;
  readonly logo: string | undefined;
  readonly logoDark: string | undefined;
}

/** The logo, else the initial of the name. Decorative: the name is beside the mark. */
export function BrandMark({ name, logo, logoDark }: MarkProps) {
  if (!logo) {
    return (
      <span class="mark" aria-hidden="true">
        {initialsOf(name).slice(0, 1)}
      </span>
    );
  }
  return (
    <picture>
      {logoDark && <source srcset={logoDark} media="(prefers-color-scheme: dark)" />}
      <img src={logo} alt="" width="28" height="28" />
    </picture>
  );
}
