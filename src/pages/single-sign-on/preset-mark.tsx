import type { Preset } from "../../vocabulary/sso/preset.ts";
import { PRESETS } from "../../vocabulary/sso/preset.ts";
import { Tile } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";

/** The mark of an identity provider: of Microsoft and Google the official marks, else the first letter. Decorative. */
export function PresetMark({ preset }: { readonly preset: Preset }) {
  if (preset === "custom") return <Tile name="plug" />;
  return (
    <span class="tile" aria-hidden="true">
      {MARKS[preset] ? <ProviderMark provider={MARKS[preset]} /> : PRESETS[preset].name.slice(0, 1)}
    </span>
  );
}

const MARKS: Partial<Record<Preset, string>> = { entra_id: "oauth_idp_c", google_workspace: "oauth_idp_a" };
