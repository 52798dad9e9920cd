import type { BrandTenants } from "../../base/brand-values.ts";
import type { Deps } from "../../deps.ts";
import { EMAIL_KINDS, type EmailContent } from "../../models/email/email.ts";
import type { EmailBrand, RenderedEmail } from "../../providers/mail/templates.ts";
import { SAMPLE_RECIPIENT, sampleEmail } from "./sample-emails.ts";

export type EmailKind = EmailContent["kind"];
export { EMAIL_KINDS };

/** The kind of this name; undefined for an unknown name. */
export function emailKindOf(text: string): EmailKind | undefined {
  return EMAIL_KINDS.find((kind) => kind === text);
}

/** The languages in which every kind of email has a template, the templates of the operator included. */
export function emailLanguages({ outbox }: Pick<Deps, "outbox">): readonly string[] {
  return outbox.templates.locales;
}

export interface EmailToPreview {
  readonly kind: EmailKind;
  readonly language: string;
  /** By `emailBrand`. */
  readonly brand: EmailBrand;
}

/** The brand of the tenants, else of the deployment. */
export function emailBrand({ outbox }: Pick<Deps, "outbox">, tenants?: BrandTenants): Promise<EmailBrand> {
  return outbox.brandOf(tenants);
}

/** Renders a kind of email with sample values. */
export function previewEmail(
  { outbox, clock, config }: Pick<Deps, "outbox" | "clock" | "config">,
  { kind, language, brand }: EmailToPreview,
): RenderedEmail {
  const { values } = sampleEmail(clock, config.urls.publicBaseUrl, kind);
  const recipient = { name: SAMPLE_RECIPIENT, account: SAMPLE_ADDRESS };
  return outbox.templates.render({
    kind,
    locale: language,
    values: { ...values, ...recipient, ...NOTHING_MERGED },
    brand,
  });
}

/** Reserved for documents (RFC 2606). */
const SAMPLE_ADDRESS = "ada@example.com";
const NOTHING_MERGED = { merged: 0, one_more_change: false, more_changes: null };
