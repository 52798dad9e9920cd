/** The webhooks of an organization or of the platform. */
import type { Webhook } from "../../models/webhook/webhook.ts";
import { confirmPath } from "../action.ts";
import { Form } from "../components/form.tsx";
import { Icon, Tile } from "../components/icon.tsx";
import { Rows, Tag } from "../components/lists.tsx";
import { OverflowMenu } from "../components/overflow.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { changeHook, createHook, deleteHook, rotateHookSecret, switchOff, switchOn, testHook } from "./actions.tsx";
import { EmptyPart, type PartProps } from "./parts.tsx";
import { deliveriesPath, formPath, webhooksPath } from "./place.ts";
import type { DisplayedPart } from "./view-model.ts";

type WebhooksProps = PartProps & { readonly part: Extract<DisplayedPart, { kind: "webhooks" }> };

export function WebhookList({ scope, part: { webhooks } }: WebhooksProps) {
  const { t } = useView();
  const { noWebhooks, newWebhook } = t.serviceAccounts;
  if (webhooks.length === 0) {
    return <EmptyPart scope={scope} text={noWebhooks} step={createHook.step} icon="webhook" action={newWebhook} />;
  }
  return (
    <Rows>
      {webhooks.map((webhook) => (
        <li key={webhook.id}>
          <Tile name="webhook" />
          <div class="what">
            <WebhookTitle webhook={webhook} />
            <small>{eventsOf(t.serviceAccounts, webhook)}</small>
          </div>
          <div class="line">
            <a
              class="button"
              href={deliveriesPath(scope.basePath, webhook.id)}
              aria-label={t.serviceAccounts.deliveriesTo({ url: webhook.url })}
            >
              {t.serviceAccounts.deliveries}
            </a>
            {scope.canEdit && <WebhookActions scope={scope} webhook={webhook} action={webhooksPath(scope.basePath)} />}
          </div>
        </li>
      ))}
    </Rows>
  );
}

function eventsOf({ allEvents, eventCount }: Texts["serviceAccounts"], { eventTypes }: Webhook): string {
  const [first = ""] = eventTypes;
  if (eventTypes.includes("*")) return allEvents;
  return eventTypes.length === 1 ? first : eventCount({ count: eventTypes.length });
}

export function WebhookTitle({ webhook }: { readonly webhook: Webhook }) {
  return (
    <>
      <strong>{webhook.url}</strong> <State {...webhook} />
    </>
  );
}

export function State({ enabled, disabledReason, failures }: Webhook) {
  const { t } = useView();
  if (disabledReason) return <Tag kind="bad">{t.serviceAccounts[disabledReason]}</Tag>;
  if (!enabled) return <Tag>{t.serviceAccounts.off}</Tag>;
  return failures > 0 ? (
    <Tag kind="bad">{t.serviceAccounts.failing}</Tag>
  ) : (
    <Tag kind="good">{t.serviceAccounts.on}</Tag>
  );
}

type WebhookActionsProps = PartProps & {
  readonly webhook: Webhook;
  /** The target of the forms. */
  readonly action: string;
};

export function WebhookActions({ scope: { basePath }, webhook, action }: WebhookActionsProps) {
  const { t } = useView();
  const { id, url, enabled } = webhook;
  const [step, text] = enabled
    ? [switchOff.step, t.serviceAccounts.switchOff]
    : [switchOn.step, t.serviceAccounts.switchOn];
  return (
    <OverflowMenu label={t.serviceAccounts.actionsFor({ name: url })}>
      <a href={formPath(basePath, changeHook.step, id)} data-confirm="yes">
        <Icon name="webhook" />
        {t.serviceAccounts.edit}
      </a>
      <Form action={action} class="places">
        <input type="hidden" name="id" value={id} />
        {enabled && (
          <button type="submit" name="step" value={testHook.step}>
            <Icon name="check" />
            {t.serviceAccounts.test}
          </button>
        )}
        <button type="submit" name="step" value={step}>
          <Icon name={enabled ? "close" : "check"} />
          {text}
        </button>
      </Form>
      <a href={confirmPath(basePath, rotateHookSecret, { id })} data-confirm="yes">
        <Icon name="key" />
        {t.serviceAccounts.newSecret}
      </a>
      <a href={confirmPath(basePath, deleteHook, { id })} data-confirm="yes">
        <Icon name="trash" />
        {t.serviceAccounts.deleteWebhook}
      </a>
    </OverflowMenu>
  );
}
