import type { SetupIntent, SetupLinkStatus } from "../../vocabulary/setup-intent.ts";
/** The set-up links of the organization. */

import { SETUP_LINK_HOURS_DEFAULT, SETUP_LINK_HOURS_MAX } from "../../limits/setup-link-limits.ts";
import type { SetupLink } from "../../models/setup-link/setup-link.ts";
import { confirmPath } from "../action.ts";
import { Check } from "../components/check.tsx";
import { Button, Field, FieldError, Form, type FormState } from "../components/form.tsx";
import { Empty, Row, Rows, Section, Tag } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { useView } from "../view.tsx";
import { createLink, revokeLink } from "./actions.tsx";
import { SSO } from "./paths.ts";

const TAGS: Readonly<Record<SetupLinkStatus, "plain" | "on" | "good" | "warn">> = {
  pending: "plain",
  begun: "on",
  completed: "good",
  revoked: "warn",
  expired: "warn",
};

interface SetupLinksProps {
  readonly links: readonly SetupLink[];
  /** The tasks that the user may pass on. */
  readonly tasks: readonly SetupIntent[];
  readonly state: FormState;
}

export function SetupLinksSection({ links, tasks, state }: SetupLinksProps) {
  const { links: title, linksLead, noLinks } = useView().t.ssoSetup;
  return (
    <Section id="setup-links" title={title} lead={linksLead}>
      <Rows>
        {links.length === 0 && <Empty text={noLinks} />}
        {links.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </Rows>
      <NewLinkForm tasks={tasks} state={state} />
    </Section>
  );
}

function LinkRow({ link }: { readonly link: SetupLink }) {
  const { t, dates } = useView();
  const { revoke, statuses, tasks, until } = t.ssoSetup;
  const { id, email, expiresAt, intents, status } = link;
  const names = intents.map((intent) => tasks[intent]).join(", ");
  const isOpen = status === "pending" || status === "begun";
  return (
    <Row
      title={
        <>
          {names} <Tag kind={TAGS[status]}>{statuses[status]}</Tag>
        </>
      }
      details={
        <>
          {email !== null && <>{email} · </>}
          {until({ time: dates.minute(expiresAt) })}
        </>
      }
    >
      {isOpen && (
        <a
          class="button quiet bad"
          href={confirmPath(SSO, revokeLink, { id })}
          data-confirm="yes"
          aria-label={`${revoke}: ${names}`}
        >
          {revoke}
        </a>
      )}
    </Row>
  );
}

function NewLinkForm({ tasks, state }: Pick<SetupLinksProps, "tasks" | "state">) {
  const t = useView().t.ssoSetup;
  const error = state.errors?.intents;
  return (
    <Form action={`${SSO}#setup-links`} class="panel stack" novalidate>
      <Problem state={state} />
      <fieldset class="stack near" aria-describedby={error ? "intents-error" : undefined}>
        <legend>{t.tasksLabel}</legend>
        <FieldError id="intents" text={error} announced />
        {tasks.map((task) => (
          <Check key={task} name={task} label={t.tasks[task]} state={state} checked={task !== "directory"} />
        ))}
      </fieldset>
      <Field name="email" type="email" label={t.recipient} hint={t.recipientHint} state={state} optional />
      <Field
        name="hours"
        type="number"
        label={t.hours}
        hint={t.hoursHint}
        min={1}
        max={SETUP_LINK_HOURS_MAX}
        value={String(SETUP_LINK_HOURS_DEFAULT)}
        state={state}
      />
      <div class="actions">
        <Button kind="primary" name="step" value={createLink.step}>
          {t.create}
        </Button>
      </div>
    </Form>
  );
}
