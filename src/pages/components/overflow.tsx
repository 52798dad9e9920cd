import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** Rare actions of one object, behind a button of three dots. `label`: names the object. */
export function OverflowMenu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <details class="menu">
      <summary class="button quiet square" aria-label={label}>
        <Icon name="dots" />
      </summary>
      <div class="places">{children}</div>
    </details>
  );
}
