/** The card of the sign-in in both themes, with the colours that pages of the brand display. */
import { contrastOf } from "../../base/colour.ts";
import type { StoredBrand } from "../../models/brand/brand.ts";
import { BrandMark } from "../components/brand.tsx";
import type { FormState } from "../components/form.tsx";
import { logoPath } from "../page-brand.ts";
import { useView } from "../view.tsx";

export interface BrandEditorProps {
  readonly brand: StoredBrand;
  /** The address of the page. */
  readonly path: string;
  readonly state: FormState;
  /** The submitted accent and radius, else the stored values. */
  readonly displayed: { readonly accent: string | null; readonly radius: number | null };
}

const ON_FILL = "#ffffff";
const THEMES = ["light", "dark"] as const;

export function BrandPreview(props: BrandEditorProps) {
  const { t } = useView();
  const { displayed } = props;
  return (
    <>
      {displayed.accent !== null && <Correction accent={displayed.accent} />}
      <div class="previews">
        {THEMES.map((theme) => (
          <figure key={theme}>
            <figcaption class="soft">{theme === "light" ? t.brand.previewLight : t.brand.previewDark}</figcaption>
            <Card {...props} theme={theme} />
          </figure>
        ))}
      </div>
    </>
  );
}

/** The correction of the contrast, in words. */
function Correction({ accent }: { readonly accent: string }) {
  const { t, site } = useView();
  const { light, dark } = site.styles.palette(accent);
  const isDarkened = contrastOf(accent, ON_FILL) < contrastOf(light.fill, ON_FILL);
  return (
    <p class="soft" role="status">
      {isDarkened ? t.brand.darkened({ colour: light.fill }) : t.brand.unchanged}{" "}
      {t.brand.lightened({ colour: dark.accent })}
    </p>
  );
}

/** Inert: a picture of a page has no fields and no buttons for a keyboard or a screen reader. */
function Card({ brand, theme }: BrandEditorProps & { readonly theme: "light" | "dark" }) {
  const { t, site } = useView();
  const { logoHash, logoDarkHash } = brand;
  const hash = theme === "dark" ? (logoDarkHash ?? logoHash) : (logoHash ?? logoDarkHash);
  return (
    <div class={`brand-preview ${theme}`} inert aria-hidden="true">
      <p class="brand">
        <BrandMark name={brand.name} logo={hash === null ? undefined : logoPath(site, hash)} logoDark={undefined} />
        <span>{brand.name}</span>
      </p>
      <div class="card">
        <p>
          <strong>{t.signIn.title}</strong>
        </p>
        <p>
          <span class="label">{t.common.email}</span>
          <span class="blank" />
        </p>
        <span class="button primary wide">{t.signIn.action}</span>
        <p>
          <span class="link">{t.signIn.forgot}</span>
        </p>
      </div>
    </div>
  );
}
