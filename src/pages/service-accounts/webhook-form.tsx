import { AUDIT_ACTIONS } from "../../vocabulary/audit-action.ts";

/** The form of a webhook: the address, and the events by group. */

import { Described } from "../components/check.tsx";
import { Field, FieldError, type FormState } from "../components/form.tsx";
import { CreationForm } from "../components/question.tsx";
import { textAt } from "../page.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { changeHook, createHook } from "./actions.tsx";
import type { FormProps } from "./forms.tsx";
import { type ServiceAccountScope, webhooksPath } from "./place.ts";
import { chosenIn, type DisplayedPart } from "./view-model.ts";

const ALL_EVENTS = "*";
/** A checkpoint of the transparency log, for webhooks of the platform (docs/contract.md, section 26.6). */
const CHECKPOINT = "audit.checkpoint.published";

type WebhookFormProps = FormProps & { readonly part: Extract<DisplayedPart, { kind: "webhook-form" }> };

export function WebhookForm({ scope: { basePath }, part: { webhook }, state }: WebhookFormProps) {
  const { t } = useView();
  const here = webhooksPath(basePath);
  const chosen = state.values ? chosenIn(state.values.event_types ?? "") : new Set(webhook?.eventTypes);
  return (
    <CreationForm
      title={webhook ? t.serviceAccounts.editWebhook : t.serviceAccounts.newWebhook}
      action={here}
      cancel={here}
      submit={webhook ? [t.common.save, changeHook.step] : [t.serviceAccounts.createWebhook, createHook.step]}
      state={state}
    >
      {webhook && <input type="hidden" name="id" value={webhook.id} />}
      <Field
        name="url"
        type="url"
        label={t.serviceAccounts.url}
        placeholder="https://example.com/hooks"
        state={state}
        maxlength={2000}
        {...(webhook ? { value: webhook.url } : {})}
        autofocus
      />
      <Events basePath={basePath} chosen={chosen} state={state} />
    </CreationForm>
  );
}

interface EventsProps {
  readonly basePath: ServiceAccountScope;
  readonly chosen: ReadonlySet<string>;
  readonly state: FormState;
}

function Events({ basePath, chosen, state }: EventsProps) {
  const { t } = useView();
  const error = state.errors?.event_types;
  return (
    <fieldset class="stack near" aria-describedby={error ? "event_types-error" : undefined}>
      <legend>{t.serviceAccounts.eventTypes}</legend>
      <FieldError id="event_types" text={error} announced />
      <EventBox
        value={ALL_EVENTS}
        text={t.serviceAccounts.allEvents}
        detail={t.serviceAccounts.allEventsHint}
        chosen={chosen}
      />
      <div class="folds">
        {groupsOf(t, basePath).map((group) => (
          <EventFold key={group.pattern} group={group} chosen={chosen} />
        ))}
      </div>
    </fieldset>
  );
}

interface EventFoldProps {
  readonly group: EventGroup;
  readonly chosen: ReadonlySet<string>;
}

/** Open if an event of the group is chosen. */
function EventFold({ group: { pattern, title, events }, chosen }: EventFoldProps) {
  const { t } = useView();
  return (
    <details class="fold" open={[pattern, ...events].some((each) => chosen.has(each))}>
      <summary>
        <span class="fold-title what">{title}</span>
        <small>{t.serviceAccounts.eventCount({ count: events.length })}</small>
      </summary>
      <div>
        <EventBox value={pattern} text={t.serviceAccounts.allOfGroup} detail={pattern} chosen={chosen} />
        {events.map((event) => (
          <EventBox
            key={event}
            value={event}
            text={textAt(t.events.names, event) ?? t.serviceAccounts.checkpoint}
            detail={event}
            chosen={chosen}
          />
        ))}
      </div>
    </details>
  );
}

interface EventGroup {
  readonly pattern: string;
  readonly title: string;
  readonly events: readonly string[];
}

/** The events in the groups of the audit trail. The import of users is an event of users with a prefix of its own. */
function groupsOf(t: Texts, basePath: ServiceAccountScope): readonly EventGroup[] {
  const groups = Object.entries(t.events.groupNames).map(([pattern, title]) => {
    const prefix = pattern.slice(0, -1);
    const isMember = (action: string) => action.startsWith(prefix) || (pattern === "user.*" && action === IMPORT);
    const ofPlatform = pattern === "audit.*" && basePath === "/admin/machines" ? [CHECKPOINT] : [];
    return { pattern, title, events: [...AUDIT_ACTIONS.filter(isMember), ...ofPlatform] };
  });
  // A group of filters of the audit trail alone has no event with its prefix.
  return groups.filter(({ events }) => events.length > 0);
}

const IMPORT = "users.imported";

interface EventBoxProps {
  readonly value: string;
  readonly text: string;
  readonly detail: string;
  readonly chosen: ReadonlySet<string>;
}

function EventBox({ value, text, detail, chosen }: EventBoxProps) {
  return (
    <label class="check">
      <input type="checkbox" name="event_types" value={value} checked={chosen.has(value)} />
      {value === ALL_EVENTS ? (
        <span>
          <strong>{text}</strong>
          <small>{detail}</small>
        </span>
      ) : (
        <Described text={text} detail={detail} />
      )}
    </label>
  );
}
