import { retrySchedule } from "../../base/delivery-retries.ts";
import type { Listing } from "../../database/listing.ts";
import type { Delivery } from "../../models/webhook/delivery.ts";
import type { Webhook } from "../../models/webhook/webhook.ts";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Empty, Pages, Row, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { DELIVERIES, type ServiceAccountViewModel } from "./view-model.ts";

export function WebhookSection({
  viewModel,
  state,
}: {
  readonly viewModel: ServiceAccountViewModel;
  readonly state: FormState;
}) {
  const { t } = useView();
  const { basePath, canEdit, webhooks } = viewModel;
  const { webhooksLead, platformWebhooksLead } = t.serviceAccounts;
  return (
    <Section title={t.serviceAccounts.webhooks} lead={basePath === "/machines" ? webhooksLead : platformWebhooksLead}>
      {canEdit && <WebhookForm viewModel={viewModel} state={state} />}
      <Rows>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} viewModel={viewModel} webhook={webhook} />
        ))}
        {webhooks.length === 0 && <Empty text={t.serviceAccounts.noWebhooks} />}
      </Rows>
    </Section>
  );
}

function WebhookForm({
  viewModel: { basePath },
  state,
}: {
  readonly viewModel: ServiceAccountViewModel;
  readonly state: FormState;
}) {
  const { t } = useView();
  const { eventTypesHint, platformEventTypesHint } = t.serviceAccounts;
  const hint = basePath === "/machines" ? eventTypesHint : platformEventTypesHint;
  return (
    <Form action={basePath} class="stack">
      <Field name="url" label={t.serviceAccounts.url} state={state} maxlength={2000} />
      <Field name="event_types" label={t.serviceAccounts.eventTypes} state={state} value="*" hint={hint} />
      <Button kind="primary" name="step" value="create-webhook">
        {t.serviceAccounts.create}
      </Button>
    </Form>
  );
}

function State({ enabled, disabledReason, failures }: Webhook) {
  const { t } = useView();
  if (disabledReason) return <Tag kind="bad">{t.serviceAccounts[disabledReason]}</Tag>;
  if (!enabled) return <Tag>{t.serviceAccounts.off}</Tag>;
  return failures > 0 ? (
    <Tag kind="bad">{t.serviceAccounts.failing}</Tag>
  ) : (
    <Tag kind="good">{t.serviceAccounts.on}</Tag>
  );
}

interface WebhookProps {
  readonly viewModel: ServiceAccountViewModel;
  readonly webhook: Webhook;
}

function WebhookRow({ viewModel, webhook }: WebhookProps) {
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
        details={webhook.eventTypes.join(" ")}
      >
        {viewModel.canEdit ? (
          <a
            class="button bad"
            href={pathWith(`${viewModel.basePath}/confirm`, { step: "delete-webhook", id })}
            data-confirm="yes"
            aria-label={t.serviceAccounts.deleteWebhookTitle(url)}
          >
            {t.serviceAccounts.deleteWebhook}
          </a>
        ) : (
          <DeliveriesLink viewModel={viewModel} webhook={webhook} />
        )}
      </Row>
      {viewModel.canEdit && (
        <li>
          <WebhookActions viewModel={viewModel} webhook={webhook} />
        </li>
      )}
    </>
  );
}

function DeliveriesLink({ viewModel: { basePath }, webhook: { id, url } }: WebhookProps) {
  const { t } = useView();
  return (
    <a
      class="button"
      href={`${pathWith(basePath, { webhook: id })}#${DELIVERIES}`}
      aria-label={t.serviceAccounts.deliveriesTo(url)}
    >
      {t.serviceAccounts.deliveries}
    </a>
  );
}

function WebhookActions({ viewModel, webhook }: WebhookProps) {
  const { t } = useView();
  const { id, url, enabled } = webhook;
  const [step, text] = enabled
    ? ["switch-off", t.serviceAccounts.switchOff]
    : ["switch-on", t.serviceAccounts.switchOn];
  return (
    <Form action={viewModel.basePath} class="actions">
      <input type="hidden" name="id" value={id} />
      <DeliveriesLink viewModel={viewModel} webhook={webhook} />
      {enabled && (
        <Button name="step" value="test-webhook" label={`${t.serviceAccounts.test}: ${url}`}>
          {t.serviceAccounts.test}
        </Button>
      )}
      <a
        class="button"
        href={pathWith(`${viewModel.basePath}/confirm`, { step: "rotate-secret", id })}
        data-confirm="yes"
        aria-label={`${t.serviceAccounts.newSecret}: ${url}`}
      >
        {t.serviceAccounts.newSecret}
      </a>
      <Button name="step" value={step} label={`${text}: ${url}`}>
        {text}
      </Button>
    </Form>
  );
}

interface DeliveriesProps extends WebhookProps {
  readonly listing: Listing<Delivery>;
}

export function DeliverySection({ viewModel, webhook, listing }: DeliveriesProps) {
  const { t, dates } = useView();
  return (
    <Section
      title={t.serviceAccounts.deliveriesTo(webhook.url)}
      id={DELIVERIES}
      lead={t.serviceAccounts.retrySchedule(
        dates.list(
          retrySchedule()
            .slice(0, FIRST_PAUSES)
            .map((ms) => dates.number(ms / 1000)),
        ),
      )}
    >
      {viewModel.canEdit && webhook.enabled && <RecoveryActions viewModel={viewModel} webhook={webhook} />}
      <Rows>
        {listing.items.map((delivery) => (
          <DeliveryRow key={delivery.eventId} viewModel={viewModel} webhook={webhook} delivery={delivery} />
        ))}
        {listing.items.length === 0 && <Empty text={t.serviceAccounts.noDeliveries} />}
      </Rows>
      <Pages {...listing} path={pathWith(viewModel.basePath, { webhook: webhook.id })} parameter={DELIVERIES} />
    </Section>
  );
}

/** Pauses that the page names; the next ones double up to an hour. */
const FIRST_PAUSES = 4;

/** Repeats what a receiver has missed. Other time ranges: the API (docs/contract.md, section 26.7). */
function RecoveryActions({ viewModel, webhook }: WebhookProps) {
  const { t } = useView();
  return (
    <Form action={pathWith(viewModel.basePath, { webhook: webhook.id })} class="actions">
      <input type="hidden" name="id" value={webhook.id} />
      <Button name="step" value="resend-failed">
        {t.serviceAccounts.resendFailed}
      </Button>
      <Button name="step" value="recover-day">
        {t.serviceAccounts.recoverDay}
      </Button>
    </Form>
  );
}

const KINDS = { pending: undefined, delivered: "good", failed: "bad" } as const;

function DeliveryRow({ viewModel, webhook, delivery }: WebhookProps & { readonly delivery: Delivery }) {
  const { t } = useView();
  const { eventId, eventType, status, attempts, createdAt } = delivery;
  const kind = KINDS[status];
  return (
    <Row
      title={
        <>
          {eventType} <Tag {...(kind ? { kind } : {})}>{t.serviceAccounts.statuses[status]}</Tag>
        </>
      }
      details={
        <>
          <Time at={createdAt} /> · {t.serviceAccounts.attempts(attempts)}
          {attempts > 0 && <DeliveryResponse {...delivery} />}
          {attempts > 0 && status === "pending" && (
            <>
              {" · "}
              {t.serviceAccounts.nextAttempt} <Time at={delivery.nextAttemptAt} />
            </>
          )}
        </>
      }
    >
      {viewModel.canEdit && (
        <Form action={pathWith(viewModel.basePath, { webhook: webhook.id })}>
          <input type="hidden" name="id" value={`${webhook.id}/${eventId}`} />
          <Button name="step" value="resend" label={`${t.serviceAccounts.resend}: ${eventType}`}>
            {t.serviceAccounts.resend}
          </Button>
        </Form>
      )}
    </Row>
  );
}

/** The response of the receiver to the last attempt, the duration, and the first KiB or the reason of the failure. */
function DeliveryResponse({ answerStatus, answerMs, answer }: Delivery) {
  const { t } = useView();
  return (
    <>
      {" · "}
      {answerStatus === null ? t.serviceAccounts.noResponse : `${answerStatus} (${answerMs} ms)`}
      {answer && (
        <>
          {" · "}
          {/* Without a response the text is a reason of this service; the language of a receiver is unknown. */}
          <span class="mono" lang={answerStatus === null ? "en" : ""}>
            {answer}
          </span>
        </>
      )}
    </>
  );
}
