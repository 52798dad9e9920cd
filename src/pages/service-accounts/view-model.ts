import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { readMfaStatus } from "../../flows/mfa/status.ts";
import { givableScopes } from "../../flows/service-accounts/authorize-scopes.ts";
import { listKeys } from "../../flows/service-accounts/keys.ts";
import { findManagedAccount, listAccounts } from "../../flows/service-accounts/manage.ts";
import { isTrustPreset, presetOfIssuer, type TrustPresetName } from "../../flows/service-accounts/trust-presets.ts";
import { readTrusts } from "../../flows/service-accounts/trusts.ts";
import type { ServiceAccountReader } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { isSteppedUp } from "../../flows/steps/sessions/step-up.ts";
import { listWebhookDeliveries } from "../../flows/webhooks/deliveries.ts";
import { findManagedWebhook, listManagedWebhooks } from "../../flows/webhooks/manage.ts";
import type { ApiKey, ListedApiKey } from "../../models/service-account/api-key.ts";
import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import type { ListedTrust } from "../../models/service-account/trust.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { Delivery } from "../../models/webhook/delivery.ts";
import type { Webhook } from "../../models/webhook/webhook.ts";
import type { KeyScope } from "../../vocabulary/key-scope.ts";
import { type Fields, pageNumber, uuidIn } from "../page.ts";
import { findSecondFactors } from "../security/second-factors.ts";
import type { View } from "../view.tsx";
import { type DisplayedForm, formIn, isWebhookQuery, type ServiceAccountScope } from "./place.ts";

const ACCOUNTS_PER_PAGE = 10;
const WEBHOOKS_DISPLAYED = 20;
const DELIVERIES_PER_PAGE = 25;
/** The page of the deliveries, in the query. */
export const DELIVERIES = "deliveries";

/** The beginning of the key text, as a leaked key has it: with the prefix that new keys have. */
export function maskedKey({ site: { config } }: Pick<View, "site">, { keyId }: Pick<ApiKey, "keyId">): string {
  return `${config.keyPrefix}_sk_${keyId}…`;
}

/** The name of a key with the beginning of the key text, by which a list distinguishes keys of one name. */
export function displayedKey(view: Pick<View, "site">, key: Pick<ApiKey, "keyId" | "name">): string {
  const masked = maskedKey(view, key);
  return key.name === null ? masked : `${key.name} (${masked})`;
}

/** The box of a scope in the form of a key. */
export function scopeField(scope: KeyScope): string {
  return `scope:${scope}`;
}

/** The event types of a text: of a refused form, or of a program with one field for all event types. */
export function chosenIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s,]+/).filter(Boolean));
}

/** The longest lifetime of a key in the form, in days. */
export const KEY_DAYS_MAX = 365;

/** A service account, its valid keys, and its trusts. */
export interface AccountCard {
  readonly account: ServiceAccount;
  readonly keys: readonly ListedApiKey[];
  readonly trusts: readonly ListedTrust[];
}

/** What the form of a key or trust needs. */
export interface CredentialForm {
  readonly account: ServiceAccount;
  readonly stepUp: StepUpNeed;
  /** The scopes that the user may give. */
  readonly scopes: readonly KeyScope[];
}

/** The step before the creation of a key; `set-up`: the user has no second factor. */
export type StepUpNeed = "none" | "verify" | "set-up";

/** The part of the page that the query or the refused form selects. */
export type DisplayedPart =
  | { readonly kind: "accounts"; readonly cards: Listing<AccountCard> }
  | { readonly kind: "webhooks"; readonly webhooks: readonly Webhook[] }
  | { readonly kind: "deliveries"; readonly webhook: Webhook; readonly listing: Listing<Delivery> }
  | { readonly kind: "new-account" }
  | ({ readonly kind: "new-key" } & CredentialForm)
  /** `preset` undefined: to be chosen. */
  | ({ readonly kind: "new-trust"; readonly preset: TrustPresetName | undefined } & CredentialForm)
  | {
      readonly kind: "trust";
      readonly account: ServiceAccount;
      readonly trust: ListedTrust;
      readonly preset: TrustPresetName;
    }
  /** The webhook of the form; undefined: a new webhook. */
  | { readonly kind: "webhook-form"; readonly webhook: Webhook | undefined };

export interface ServiceAccountViewModel {
  readonly basePath: ServiceAccountScope;
  /** Whether actions are offered. The flows decide again. */
  readonly canEdit: boolean;
  readonly part: DisplayedPart;
}

interface ViewModelInput {
  readonly caller: ServiceAccountReader;
  readonly session: SessionView;
  readonly canEdit: boolean;
  readonly query: Fields;
  /** The refused form, which is displayed again. */
  readonly form: Fields | undefined;
}

type ViewModelDeps = StoreDeps & Pick<Deps, "reads">;

export async function displayedPart(deps: ViewModelDeps, input: ViewModelInput): Promise<DisplayedPart> {
  const { query, form, canEdit } = input;
  const displayed = canEdit ? formIn(query, form) : undefined;
  const part = displayed ? await formPart(deps, input, displayed) : await trustPart(deps, input);
  if (part) return part;
  return isWebhookQuery(query) ? await webhooksPart(deps, input) : await accountsPart(deps, input);
}

/** Undefined for an unknown account or webhook. */
async function formPart(
  deps: ViewModelDeps,
  { caller, session }: ViewModelInput,
  { kind, id, preset }: DisplayedForm,
): Promise<DisplayedPart | undefined> {
  if (kind === "new-account") return { kind };
  if (kind === "new-key" || kind === "new-trust") {
    const found = await findManagedAccount(deps, caller, uuidIn(id));
    if (!found.ok) return undefined;
    const form = { account: found.value, stepUp: await stepUpNeedOf(deps, session), scopes: givableScopes(caller) };
    return kind === "new-key"
      ? { kind, ...form }
      : { kind, ...form, preset: isTrustPreset(preset) ? preset : undefined };
  }
  if (id === "") return { kind, webhook: undefined };
  const found = await findManagedWebhook(deps, { caller, webhookId: uuidIn(id) });
  return found.ok ? { kind, webhook: found.value } : undefined;
}

/** The page of a trust; undefined for a query without a trust, and for an unknown trust. */
async function trustPart(deps: ViewModelDeps, { caller, query }: ViewModelInput): Promise<DisplayedPart | undefined> {
  const [accountId = "", trustId = ""] = query.text("trust").split("/");
  if (trustId === "") return undefined;
  const account = await findManagedAccount(deps, caller, uuidIn(accountId));
  const trusts = account.ok ? await readTrusts(deps, { caller, accountId: account.value.id }) : account;
  const trust = trusts.ok ? trusts.value.find(({ id }) => id === trustId) : undefined;
  if (!account.ok || !trust) return undefined;
  const chosen = query.text("preset");
  const preset = isTrustPreset(chosen) ? chosen : presetOfIssuer(trust.issuer);
  return { kind: "trust", account: account.value, trust, preset };
}

async function stepUpNeedOf(deps: ViewModelDeps, session: SessionView): Promise<StepUpNeed> {
  if (isSteppedUp(deps, session)) return "none";
  const { enabledAt } = await readMfaStatus(deps, session.userId);
  const { authenticator, passkey } = await findSecondFactors(deps, session, { mfaEnabled: enabledAt !== null });
  return authenticator || passkey ? "verify" : "set-up";
}

async function accountsPart(deps: ViewModelDeps, { caller, query }: ViewModelInput): Promise<DisplayedPart> {
  const listed = await listAccounts(deps, { caller, page: clampPage(pageNumber(query), ACCOUNTS_PER_PAGE) });
  if (!listed.ok) return listed.error;
  const now = deps.clock.now();
  const items = await Promise.all(
    listed.value.items.map(async (account) => {
      const of = { caller, accountId: account.id };
      const [found, trusts] = await Promise.all([listKeys(deps, of), readTrusts(deps, of)]);
      const keys = found.ok ? found.value.filter((key) => !key.revokedAt && key.expiresAt.getTime() > now) : [];
      return { account, keys, trusts: trusts.ok ? trusts.value : [] };
    }),
  );
  return { kind: "accounts", cards: { ...listed.value, items } };
}

/** The deliveries of the webhook in the query, or the list of webhooks. */
async function webhooksPart(deps: ViewModelDeps, { caller, query }: ViewModelInput): Promise<DisplayedPart> {
  const webhookId = uuidIn(query.text("webhook"));
  const found = query.has("webhook") ? await findManagedWebhook(deps, { caller, webhookId }) : undefined;
  if (found?.ok) {
    const page = clampPage(pageNumber(query, DELIVERIES), DELIVERIES_PER_PAGE);
    const listed = await listWebhookDeliveries(deps, { caller, webhookId, status: undefined, page });
    if (listed.ok) return { kind: "deliveries", webhook: found.value, listing: listed.value };
  }
  const webhooks = await listManagedWebhooks(deps, { caller, page: clampPage(1, WEBHOOKS_DISPLAYED) });
  return webhooks.ok ? { kind: "webhooks", webhooks: webhooks.value.items } : webhooks.error;
}
