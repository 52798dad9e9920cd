import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { listKeys } from "../../flows/service-accounts/keys.ts";
import { listAccounts } from "../../flows/service-accounts/manage.ts";
import type { ServiceAccountReader } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { listWebhookDeliveries } from "../../flows/webhooks/deliveries.ts";
import { listManagedWebhooks } from "../../flows/webhooks/manage.ts";
import type { ApiKey, KeyScope } from "../../models/service-account/api-key.ts";
import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import type { Delivery } from "../../models/webhook/delivery.ts";
import type { Webhook } from "../../models/webhook/webhook.ts";
import { type Fields, pageNumber } from "../page.ts";

/** Path of the page of an organization, and of the console page of the platform. */
export type ServiceAccountScope = "/machines" | "/admin/machines";
const ACCOUNTS_PER_PAGE = 10;
const WEBHOOKS_DISPLAYED = 20;
const DELIVERIES_PER_PAGE = 25;
/** The page of the deliveries, in the query. */
export const DELIVERIES = "deliveries";

/** The displayed name of a key: the beginning of the key text. */
export function displayedKey({ keyId }: Pick<ApiKey, "keyId">): string {
  return `sk_${keyId}…`;
}

/** The box of a scope in the form of a key. */
export function scopeField(scope: KeyScope): string {
  return `scope:${scope}`;
}

/** The longest lifetime of a key in the form, in days. */
export const KEY_DAYS_MAX = 365;

export interface ServiceAccountViewModel {
  readonly basePath: ServiceAccountScope;
  /** Whether actions are offered. The flows decide again. */
  readonly canEdit: boolean;
  readonly accounts: Listing<ServiceAccount>;
  /** The valid keys, by account. */
  readonly keys: ReadonlyMap<string, readonly ApiKey[]>;
  readonly webhooks: readonly Webhook[];
  /** Deliveries of the webhook that the query names. */
  readonly deliveries: { readonly webhook: Webhook; readonly listing: Listing<Delivery> } | undefined;
}

interface ViewModelInput {
  readonly basePath: ServiceAccountScope;
  readonly caller: ServiceAccountReader;
  readonly canEdit: boolean;
  readonly query: Fields;
}

/** Undefined if a list is refused. */
export async function serviceAccountViewModel(
  deps: StoreDeps & Pick<Deps, "reads">,
  { basePath, caller, canEdit, query }: ViewModelInput,
): Promise<ServiceAccountViewModel | undefined> {
  const page = clampPage(pageNumber(query), ACCOUNTS_PER_PAGE);
  const [accounts, webhooks] = await Promise.all([
    listAccounts(deps, { caller, page }),
    listManagedWebhooks(deps, { caller, page: clampPage(1, WEBHOOKS_DISPLAYED) }),
  ]);
  if (!accounts.ok || !webhooks.ok) return undefined;
  const now = deps.clock.now();
  const keys = await Promise.all(
    accounts.value.items.map(async ({ id: accountId }) => {
      const found = await listKeys(deps, { caller, accountId });
      const live = found.ok ? found.value.filter((key) => !key.revokedAt && key.expiresAt.getTime() > now) : [];
      return [accountId, live] as const;
    }),
  );
  const webhook = webhooks.value.items.find(({ id }) => id === query.text("webhook"));
  const input = {
    caller,
    webhookId: webhook?.id ?? "",
    status: undefined,
    page: clampPage(pageNumber(query, DELIVERIES), DELIVERIES_PER_PAGE),
  };
  const listed = webhook && (await listWebhookDeliveries(deps, input));
  return {
    basePath,
    canEdit,
    accounts: accounts.value,
    keys: new Map(keys),
    webhooks: webhooks.value.items,
    deliveries: webhook && listed?.ok ? { webhook, listing: listed.value } : undefined,
  };
}
