/**
 * The addresses of the page of service accounts and webhooks. The page has one path, so that notices and bookmarks of
 * earlier releases lead to the part that the query names.
 */
import type { CollectionScope } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { AUDIT } from "../addresses.ts";
import type { Fields } from "../fields.ts";
import { pathWith } from "../page.ts";

/** Path of the page of an organization, and of the console page of the platform. */
export type ServiceAccountScope = "/machines" | "/admin/machines";

const WEBHOOKS = "webhooks";

/** The forms of the page, which are pages and, with scripts, dialogs. `id`: of the account or webhook, or empty. */
export interface DisplayedForm {
  readonly kind: "new-account" | "new-key" | "new-trust" | "webhook-form";
  readonly id: string;
  /** The preset of a new trust; empty: to be chosen. */
  readonly preset: string;
}

const FORMS_BY_STEP: Readonly<Record<string, DisplayedForm["kind"]>> = {
  "create-account": "new-account",
  "create-key": "new-key",
  "create-trust": "new-trust",
  "create-webhook": "webhook-form",
  "change-webhook": "webhook-form",
};

/** The form of the query `form`, or the refused form. */
export function formIn(query: Fields, refused: Fields | undefined): DisplayedForm | undefined {
  const step = refused ? refused.text("step") : query.text("form");
  if (!Object.hasOwn(FORMS_BY_STEP, step)) return undefined;
  const kind = FORMS_BY_STEP[step];
  const fields = refused ?? query;
  return kind && { kind, id: fields.text("id"), preset: fields.text("preset") };
}

export type CollectionPermission = "machines.manage" | "webhooks.manage";

/** The permission for the displayed part of the page. */
export function permissionOfPart(query: Fields, refused: Fields | undefined): CollectionPermission {
  const form = formIn(query, refused);
  const isWebhookPart = form ? form.kind === "webhook-form" : isWebhookQuery(query);
  return isWebhookPart ? "webhooks.manage" : "machines.manage";
}

const PLATFORM_PERMISSIONS = {
  "machines.manage": "service_accounts.write",
  "webhooks.manage": "webhooks.write",
} as const;

/** The scope of the page; `organizationId` null: the platform. */
export function collectionScope(organizationId: string | null, permission: CollectionPermission): CollectionScope {
  if (organizationId !== null) return { organizationId, permission };
  return { organizationId, permission: PLATFORM_PERMISSIONS[permission] };
}

export function isWebhookQuery(query: Fields): boolean {
  return query.has("webhook") || query.text("part") === WEBHOOKS;
}

export function webhooksPath(basePath: ServiceAccountScope): string {
  return pathWith(basePath, { part: WEBHOOKS });
}

export function deliveriesPath(basePath: ServiceAccountScope, webhookId: string): string {
  return pathWith(basePath, { webhook: webhookId });
}

export function formPath(basePath: ServiceAccountScope, step: keyof typeof FORMS_BY_STEP, id?: string): string {
  return pathWith(basePath, { form: step, id });
}

/** The page of a trust. `preset`: the platform of the program, if known. */
export function trustPath(
  basePath: ServiceAccountScope,
  { serviceAccountId, id }: { readonly serviceAccountId: string; readonly id: string },
  preset?: string,
): string {
  return pathWith(basePath, { trust: `${serviceAccountId}/${id}`, preset });
}

/** The form of a new trust, or the choice of a preset. */
export function newTrustPath(basePath: ServiceAccountScope, accountId: string, preset?: string): string {
  return pathWith(basePath, { form: "create-trust", id: accountId, preset });
}

/** The trail of a program: of the organization, or of the platform. */
export function trailPath(basePath: ServiceAccountScope, actorId: string): string {
  return pathWith(basePath === "/machines" ? "/team/audit" : AUDIT, { user_id: actorId });
}

/** The part of the page on which a form was sent. */
export function partPath(basePath: ServiceAccountScope, query: Fields): string {
  const webhook = query.text("webhook");
  if (webhook !== "") return deliveriesPath(basePath, webhook);
  return isWebhookQuery(query) ? webhooksPath(basePath) : basePath;
}
