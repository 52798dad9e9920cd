/** The deliveries of a webhook. A delivery opens to its request and response, also without scripts. */
import { retrySchedule } from "../../base/delivery-retries.ts";
import type { Delivery } from "../../models/webhook/delivery.ts";
import { Crumbs } from "../components/crumbs.tsx";
import { Button, Form } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, Pages, Rows, Tag, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { recoverDay, resendAll, resendOne } from "./actions.tsx";
import { Block, type PartProps } from "./parts.tsx";
import { deliveriesPath, webhooksPath } from "./place.ts";
import { DELIVERIES, type DisplayedPart } from "./view-model.ts";
import { State, WebhookActions } from "./webhooks.tsx";

type DeliveriesProps = PartProps & { readonly part: Extract<DisplayedPart, { kind: "deliveries" }> };

/** Pauses that the page names; the next ones double up to an hour. */
const FIRST_PAUSES = 4;

export function Deliveries({ scope, part: { webhook, listing } }: DeliveriesProps) {
  const { t, dates } = useView();
  const here = deliveriesPath(scope.basePath, webhook.id);
  const pauses = retrySchedule()
    .slice(0, FIRST_PAUSES)
    .map((ms) => dates.number(ms / 1000));
  return (
    <section id={DELIVERIES}>
      <div class="head">
        <div>
          <Crumbs
            above={[{ href: webhooksPath(scope.basePath), text: t.serviceAccounts.allWebhooks }]}
            current={t.serviceAccounts.deliveries}
          />
          <h2>{t.serviceAccounts.deliveriesTo({ url: webhook.url })}</h2>
          <p>
            <State {...webhook} /> {t.serviceAccounts.retrySchedule({ seconds: dates.list(pauses) })}
          </p>
        </div>
        {scope.canEdit && <WebhookActions scope={scope} webhook={webhook} action={here} />}
      </div>
      <div class="box">
        {scope.canEdit && webhook.enabled && (
          <header>
            <RecoveryActions id={webhook.id} action={here} />
          </header>
        )}
        <Rows>
          {listing.items.map((delivery) => (
            <li key={delivery.eventId}>
              <DeliveryRow scope={scope} webhook={webhook} delivery={delivery} />
            </li>
          ))}
          {listing.items.length === 0 && <Empty text={t.serviceAccounts.noDeliveries} />}
        </Rows>
      </div>
      <Pages {...listing} path={here} parameter={DELIVERIES} />
    </section>
  );
}

/** Repeats what a receiver has missed. Other time ranges: the API (docs/contract.md, section 26.7). */
function RecoveryActions({ id, action }: { readonly id: string; readonly action: string }) {
  const { t } = useView();
  return (
    <Form action={action} class="actions">
      <input type="hidden" name="id" value={id} />
      <Button name="step" value={resendAll.step}>
        {t.serviceAccounts.resendFailed}
      </Button>
      <Button name="step" value={recoverDay.step}>
        {t.serviceAccounts.recoverDay}
      </Button>
    </Form>
  );
}

const KINDS = { pending: undefined, delivered: "good", failed: "bad" } as const;

type DeliveryProps = PartProps & {
  readonly webhook: { readonly id: string; readonly url: string };
  readonly delivery: Delivery;
};

function DeliveryRow(props: DeliveryProps) {
  const { t } = useView();
  const { eventType, status, attempts, createdAt, answerStatus, answerMs } = props.delivery;
  const kind = KINDS[status];
  return (
    <details>
      <summary>
        <Icon name="chevron" small directed />{" "}
        <Tag {...(kind ? { kind } : {})}>{t.serviceAccounts.statuses[status]}</Tag> <code>{eventType}</code>{" "}
        <small>
          <Time at={createdAt} /> · {t.serviceAccounts.attempts({ count: attempts })}
          {attempts > 0 &&
            ` · ${answerStatus === null ? t.serviceAccounts.noResponse : `${answerStatus} (${answerMs} ms)`}`}
        </small>
      </summary>
      <Exchange {...props} />
    </details>
  );
}

function Exchange({ scope, webhook, delivery }: DeliveryProps) {
  const { t } = useView();
  return (
    <div class="cols big">
      <Block title={t.serviceAccounts.request}>
        <pre class="wrap">{requestText(webhook.url, delivery, t.serviceAccounts.masked)}</pre>
      </Block>
      <Block title={t.serviceAccounts.response}>
        <ResponseText {...delivery} />
        <NextAttempt {...delivery} />
        {scope.canEdit && (
          <Form action={deliveriesPath(scope.basePath, webhook.id)}>
            <input type="hidden" name="id" value={`${webhook.id}/${delivery.eventId}`} />
            <Button name="step" value={resendOne.step} label={`${t.serviceAccounts.resend}: ${delivery.eventType}`}>
              {t.serviceAccounts.resend}
            </Button>
          </Form>
        )}
      </Block>
    </div>
  );
}

/**
 * The request of the last attempt. A signature would let a reader of the page replay the request to the receiver for
 * five minutes, so the page displays none.
 */
function requestText(url: string, { eventId, attemptedAt, payload }: Delivery, masked: string): string {
  const { pathname, search, host } = new URL(url);
  const sentAt = attemptedAt ? [`webhook-timestamp: ${Math.floor(attemptedAt.getTime() / 1000)}`] : [];
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    "content-type: application/json",
    `webhook-id: ${eventId}`,
    ...sentAt,
    `webhook-signature: ${masked}`,
  ];
  return `${head.join("\n")}\n\n${indented(payload)}`;
}

/** The stored body is JSON of the service. */
function indented(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 2);
}

/** The status of the receiver's response, and its first KiB, or the reason for a missing response. */
function ResponseText({ attempts, answerStatus, answer }: Delivery) {
  const { t } = useView();
  if (attempts === 0) return <p class="soft">{t.serviceAccounts.notAttempted}</p>;
  const status = answerStatus === null ? t.serviceAccounts.noResponse : `HTTP/1.1 ${answerStatus}`;
  return (
    <pre class="wrap">
      {`${status}\n`}
      {answer && (
        // Without a response the text is a reason of this service; the language of a receiver is unknown.
        <span class="mono" lang={answerStatus === null ? "en" : ""}>
          {answer}
        </span>
      )}
    </pre>
  );
}

function NextAttempt({ attempts, status, nextAttemptAt }: Delivery) {
  const { t } = useView();
  return attempts > 0 && status === "pending" ? (
    <p class="soft">
      {t.serviceAccounts.nextAttempt} <Time at={nextAttemptAt} />
    </p>
  ) : null;
}
