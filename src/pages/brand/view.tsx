/** The editor of a brand, for an organization and for an application: settings, logos, preview. */
import { FileInput } from "../components/file-input.tsx";
import { Button, Field, FieldError, Form } from "../components/form.tsx";
import { Rows, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { useView } from "../view.tsx";
import { previewBrand, removeDarkLogo, removeLightLogo, saveBrand } from "./actions.ts";
import { type BrandEditorProps, BrandPreview } from "./preview.tsx";

export function BrandEditor(props: BrandEditorProps) {
  const { t } = useView();
  const { brand, path, state } = props;
  return (
    <>
      <p class="soft lead">{t.brand.lead({ name: brand.name })}</p>
      <Form action={path} novalidate class="stack">
        <Problem state={state} />
        <Setting title={t.brand.look}>
          <div class="box">
            <div class="in stack">
              <LookFields {...props} />
            </div>
          </div>
        </Setting>
        <Setting title={t.brand.links}>
          <div class="box">
            <div class="in stack">
              <LinkFields {...props} />
            </div>
          </div>
          <div class="actions">
            <Button kind="primary" name="step" value={saveBrand.step}>
              {t.brand.save}
            </Button>
            <Button name="step" value={previewBrand.step}>
              {t.brand.previewAction}
            </Button>
          </div>
        </Setting>
      </Form>
      <Setting title={t.brand.preview}>
        <BrandPreview {...props} />
      </Setting>
      <Setting title={t.brand.logos} lead={t.brand.logoHint}>
        <Rows>
          <LogoRow {...props} theme="light" />
          <LogoRow {...props} theme="dark" />
        </Rows>
      </Setting>
    </>
  );
}

function LookFields({ brand, state }: BrandEditorProps) {
  const { t } = useView();
  return (
    <>
      <Field
        name="accent"
        label={t.brand.accent}
        hint={t.brand.accentHint}
        state={state}
        value={brand.accent ?? ""}
        optional
      />
      <Field
        name="radius"
        type="number"
        label={t.brand.radius}
        hint={t.brand.radiusHint}
        state={state}
        value={brand.radius?.toString() ?? ""}
        optional
      />
    </>
  );
}

function LinkFields({ brand, state }: BrandEditorProps) {
  const { t } = useView();
  return (
    <>
      <Field name="terms_url" label={t.brand.terms} state={state} value={brand.termsUrl ?? ""} optional />
      <Field name="privacy_url" label={t.brand.privacy} state={state} value={brand.privacyUrl ?? ""} optional />
      <Field
        name="support_url"
        label={t.brand.support}
        hint={t.brand.supportHint}
        state={state}
        value={brand.supportUrl ?? ""}
        optional
      />
    </>
  );
}

type LogoProps = BrandEditorProps & { readonly theme: "light" | "dark" };

function LogoRow({ brand, path, state, theme }: LogoProps) {
  const { t } = useView();
  const isDark = theme === "dark";
  const [field, label] = isDark ? (["logo-dark", t.brand.logoDark] as const) : (["logo", t.brand.logo] as const);
  const stored = isDark ? brand.logoDarkHash : brand.logoHash;
  const error = state.errors?.[field];
  return (
    <li>
      <Form action={`${path}/${field}`} enctype="multipart/form-data" class="what line picker" data-upload="">
        <label for={field} class="wide">
          {label}
        </label>
        <FileInput id={field} accept="image/png,image/jpeg,image/webp" error={error} />
        {/* The button of the browser has the language of the browser, the label has the language of the page. */}
        <label class="button scripted" for={field}>
          {t.brand.upload}
        </label>
        <Button label={`${t.brand.upload}: ${label}`}>{t.brand.upload}</Button>
      </Form>
      <FieldError id={field} text={error} announced />
      {stored !== null && (
        <Form action={path}>
          <Button kind="bad" name="step" value={isDark ? removeDarkLogo.step : removeLightLogo.step}>
            {isDark ? t.brand.removeLogoDark : t.brand.removeLogo}
          </Button>
        </Form>
      )}
    </li>
  );
}
