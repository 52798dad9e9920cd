import { useView } from "../view.tsx";
import { initialsOf } from "./picture.tsx";

/** The name and logo of the service. `area`: the part of the service, beside the name. */
export function Brand({ area }: { readonly area?: string | undefined }) {
  const { assets, config } = useView().site;
  const { name } = config.brand;
  return (
    <p class="brand">
      {assets.logo ? (
        <img src={assets.logo} alt="" width="28" height="28" />
      ) : (
        <span class="mark" aria-hidden="true">
          {initialsOf(name).slice(0, 1)}
        </span>
      )}
      <span>{name}</span>
      {area && <span class="area">{area}</span>}
    </p>
  );
}
