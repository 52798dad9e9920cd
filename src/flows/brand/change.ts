import type { BrandSettings, LogoTheme } from "../../base/brand-values.ts";
import { invalidFields, invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import {
  type BrandOwner,
  deleteLogo,
  findBrand,
  type Logo,
  logoHash,
  type StoredBrand,
  saveLogo,
  saveSettings,
} from "../../models/brand/brand.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { BrandAdministrator, BrandReader } from "../steps/authorization/authorize-brand.ts";
import { validateBrand } from "./validate-brand.ts";

export type BrandDeps = StoreDeps & Pick<Deps, "brands" | "pictureDecoder">;

export interface BrandChange {
  readonly caller: BrandAdministrator;
  readonly client: RequestContext;
}

const NO_SUCH_OWNER = refusal("not_found", "There is nothing here.");
const NOT_A_LOGO = invalidInput(
  "file",
  "format",
  "not a PNG, JPEG or WebP picture of at most 16 megapixels that can be read",
);

/** The member of the API for every setting. A missing setting does not compile. */
const BRAND_MEMBERS: Readonly<Record<keyof BrandSettings, string>> = {
  accent: "accent",
  radius: "radius",
  termsUrl: "terms_url",
  privacyUrl: "privacy_url",
  supportUrl: "support_url",
};

const LOGO_MEMBERS: Readonly<Record<LogoTheme, string>> = { light: "logo", dark: "logo_dark" };

/** GET …/brand (docs/contract.md, section 28), without the cache: an administrator sees the stored values. */
export async function readBrand(
  deps: Pick<Deps, "database">,
  { owner }: BrandReader,
): Promise<Result<StoredBrand, Refusal<"not_found">>> {
  const brand = await deps.database.run("brand.find", (sql) => findBrand(sql, owner));
  return brand ? ok(brand) : err(NO_SUCH_OWNER);
}

/** PUT …/brand: replaces the settings, and keeps the logos. Equal settings change and record nothing. */
export async function updateBrand(
  deps: BrandDeps,
  { caller, client, settings }: BrandChange & { readonly settings: BrandSettings },
): Promise<Result<StoredBrand, Refusal<"invalid_input" | "not_found">>> {
  const { owner } = caller;
  const valid = validateBrand(settings);
  if (!valid.ok) return err(invalidFields(valid.error));
  const at = new Date(deps.clock.now());
  const updated = await deps.database.transaction("brand.update", async (sql) => {
    const before = await findBrand(sql, owner);
    if (!before) return err(NO_SUCH_OWNER);
    const fields = changedFields(before, valid.value);
    if (fields.length === 0) return ok(before);
    const entry = auditEntry(deps, { caller, client }, fields, at);
    await sql`
      with saved as (${saveSettings(sql, { id: deps.random.uuid(), owner, at }, valid.value)})
      ${insertAudit(sql, entry, sql`from saved`)}`;
    return ok({ ...before, ...valid.value, updatedAt: at });
  });
  deps.brands.forget(owner);
  return updated;
}

/** PUT …/brand/logo and …/brand/logo-dark: re-encodes the picture as PNG, without metadata. */
export async function storeLogo(
  deps: BrandDeps,
  { theme, file, ...by }: BrandChange & { readonly theme: LogoTheme; readonly file: Uint8Array },
): Promise<Result<StoredBrand, Refusal<"invalid_input" | "not_found" | "rate_limited">>> {
  const { owner } = by.caller;
  const decoded = await deps.pictureDecoder.decode(file, owner.id, "logo");
  if (!decoded.ok) {
    if (decoded.code === "not_a_picture") return err(NOT_A_LOGO);
    return err(rateLimited("picture_queue", 1, `picture decoder: ${decoded.code}`));
  }
  const content = decoded.picture;
  await replaceLogo(deps, by, theme, { hash: logoHash(owner, content), content });
  return await readBrand(deps, by.caller);
}

/** DELETE …/brand/logo and …/brand/logo-dark. Idempotent. */
export async function removeLogo(
  deps: BrandDeps,
  { theme, ...by }: BrandChange & { readonly theme: LogoTheme },
): Promise<Result<StoredBrand, Refusal<"not_found">>> {
  await replaceLogo(deps, by, theme, undefined);
  return await readBrand(deps, by.caller);
}

async function replaceLogo(deps: BrandDeps, by: BrandChange, theme: LogoTheme, logo: Logo | undefined): Promise<void> {
  const { owner } = by.caller;
  const at = new Date(deps.clock.now());
  const entry = auditEntry(deps, by, [LOGO_MEMBERS[theme]], at);
  const write = { id: deps.random.uuid(), owner, at };
  await deps.database.run(
    "brand.save_logo",
    (sql) => sql`
      with saved as (${logo ? saveLogo(sql, write, theme, logo) : deleteLogo(sql, write, theme)})
      ${insertAudit(sql, entry, sql`from saved`)}`,
  );
  deps.brands.forget(owner);
}

function changedFields(before: StoredBrand, after: BrandSettings): readonly string[] {
  const settings = Object.keys(BRAND_MEMBERS) as (keyof BrandSettings)[];
  return settings.filter((name) => before[name] !== after[name]).map((name) => BRAND_MEMBERS[name]);
}

function auditEntry(
  deps: Pick<Deps, "random">,
  { caller, client }: BrandChange,
  fields: readonly string[],
  at: Date,
): AuditEntry {
  return userAuditEvent(deps, caller.actor, client, {
    ...auditedChange(caller.owner),
    at,
    metadata: { fields: fields.join(" ") },
  });
}

function auditedChange({ kind, id }: BrandOwner) {
  return kind === "organization"
    ? ({ action: "organization.brand_updated", resource: { type: "organization", id } } as const)
    : ({ action: "oauth.client.brand_updated", resource: { type: "oauth_client", id } } as const);
}
