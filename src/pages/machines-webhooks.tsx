import type { Delivery } from "../models/webhook/delivery.ts";
import type { Webhook } from "../models/webhook/webhook.ts";
import { Button, Field, Form, type FormState } from "./components/form.tsx";
import { Empty, Row, Rows, Section, Tag, Time } from "./components/lists.tsx";
import { MACHINES, type MachineFacts } from "./machines-facts.ts";
import { pathWith } from "./page.ts";
import { useView } from "./view.tsx";

export function WebhookSection({ facts, state }: { readonly facts: MachineFacts; readonly state: FormState }) {
  const { t } = useView();
  return (
    <Section title={t.machines.webhooks} lead={t.machines.webhooksLead}>
      <Form action={MACHINES} class="stack">
        <Field name="url" label={t.machines.url} state={state} maxlength={2000} />
        <Field
          name="event_types"
          label={t.machines.eventTypes}
          state={state}
          value="*"
          hint={t.machines.eventTypesHint}
        />
        <Button kind="primary" name="step" value="create-webhook">
          {t.machines.create}
        </Button>
      </Form>
      <Rows>
        {facts.webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
        {facts.webhooks.length === 0 && <Empty text={t.machines.noWebhooks} />}
      </Rows>
    </Section>
  );
}

function State({ enabled, disabledReason, failures }: Webhook) {
  const { t } = useView();
  if (disabledReason) return <Tag kind="bad">{t.machines[disabledReason]}</Tag>;
  if (!enabled) return <Tag>{t.machines.off}</Tag>;
  return failures > 0 ? <Tag kind="bad">{t.machines.failing}</Tag> : <Tag kind="good">{t.machines.on}</Tag>;
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useView();
  const { id, url } = webhook;
  return (
    <>
      <Row
        title={
          <>
            <span class="mono">{url}</span> <State {...webhook} />
          </>
        }
        facts={webhook.eventTypes.join(" ")}
      >
        <a
          class="button bad"
          href={pathWith(`${MACHINES}/confirm`, { step: "delete-webhook", id, name: url })}
          data-confirm="yes"
          aria-label={t.machines.deleteWebhookTitle(url)}
        >
          {t.machines.deleteWebhook}
        </a>
      </Row>
      <li>
        <WebhookActions webhook={webhook} />
      </li>
    </>
  );
}

function WebhookActions({ webhook: { id, url, enabled } }: { readonly webhook: Webhook }) {
  const { t } = useView();
  const [step, text] = enabled ? ["switch-off", t.machines.switchOff] : ["switch-on", t.machines.switchOn];
  return (
    <Form action={MACHINES} class="actions">
      <input type="hidden" name="id" value={id} />
      <a class="button" href={pathWith(MACHINES, { webhook: id })} aria-label={t.machines.deliveriesTo(url)}>
        {t.machines.deliveries}
      </a>
      {enabled && (
        <Button name="step" value="test-webhook" label={`${t.machines.test}: ${url}`}>
          {t.machines.test}
        </Button>
      )}
      <Button name="step" value="rotate-secret" label={`${t.machines.newSecret}: ${url}`}>
        {t.machines.newSecret}
      </Button>
      <Button name="step" value={step} label={`${text}: ${url}`}>
        {text}
      </Button>
    </Form>
  );
}

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly items: readonly Delivery[];
}

export function DeliverySection({ webhook, items }: DeliveryProps) {
  const { t } = useView();
  return (
    <Section title={t.machines.deliveriesTo(webhook.url)}>
      <Rows>
        {items.map((delivery) => (
          <DeliveryRow key={delivery.eventId} webhookId={webhook.id} delivery={delivery} />
        ))}
        {items.length === 0 && <Empty text={t.machines.noDeliveries} />}
      </Rows>
    </Section>
  );
}

const KINDS = { pending: undefined, delivered: "good", failed: "bad" } as const;

function DeliveryRow({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const { t } = useView();
  const { eventId, eventType, status, attempts, answerStatus, answerMs, createdAt } = delivery;
  const kind = KINDS[status];
  const answer = answerStatus === null ? t.machines.noAnswer : `${answerStatus} (${answerMs} ms)`;
  return (
    <Row
      title={
        <>
          {eventType} <Tag {...(kind ? { kind } : {})}>{t.machines.statuses[status]}</Tag>
        </>
      }
      facts={
        <>
          <Time at={createdAt} /> · {t.machines.attempts(attempts)}
          {attempts > 0 && ` · ${answer}`}
        </>
      }
    >
      <Form action={pathWith(MACHINES, { webhook: webhookId })}>
        <input type="hidden" name="id" value={`${webhookId}/${eventId}`} />
        <Button name="step" value="resend" label={`${t.machines.resend}: ${eventType}`}>
          {t.machines.resend}
        </Button>
      </Form>
    </Row>
  );
}
