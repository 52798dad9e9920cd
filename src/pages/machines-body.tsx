import type { ApiKey, KeyScope } from "../models/service-account/api-key.ts";
import type { ServiceAccount } from "../models/service-account/service-account.ts";
import type { Profile } from "../models/user/profile.ts";
import { Button, Done, Field, Form, type FormState, Problem } from "./components/form.tsx";
import { Shell } from "./components/layout.tsx";
import { Empty, Pages, Row, Rows, Section, Time } from "./components/lists.tsx";
import { MACHINES, type MachineFacts } from "./machines-facts.ts";
import { DeliverySection, WebhookSection } from "./machines-webhooks.tsx";
import { pathWith } from "./page.ts";
import { useView } from "./view.tsx";

export interface MachineProps {
  readonly profile: Profile;
  readonly facts: MachineFacts | undefined;
  /** Of the form that was refused. */
  readonly state: FormState;
  readonly done: string | undefined;
}

export function MachinesBody({ profile, facts, state, done }: MachineProps) {
  const { t } = useView();
  return (
    <Shell at={MACHINES} profile={profile}>
      <h1>{t.machines.title}</h1>
      <Done text={done} />
      <Problem state={state} />
      {facts ? (
        <>
          <AccountSection facts={facts} state={state} />
          <WebhookSection facts={facts} state={state} />
          {facts.deliveries && <DeliverySection {...facts.deliveries} />}
        </>
      ) : (
        <p class="soft">{t.machines.notYours}</p>
      )}
    </Shell>
  );
}

function AccountSection({ facts, state }: { readonly facts: MachineFacts; readonly state: FormState }) {
  const { t } = useView();
  return (
    <Section title={t.machines.accounts} lead={t.machines.accountsLead}>
      <Form action={MACHINES} class="bar">
        <Field name="name" label={t.machines.name} state={state} maxlength={120} />
        <Button kind="primary" name="step" value="create-account">
          {t.machines.create}
        </Button>
      </Form>
      <Rows>
        {facts.accounts.items.map((account) => (
          <AccountRow key={account.id} account={account} keys={facts.keys.get(account.id) ?? []} />
        ))}
        {facts.accounts.items.length === 0 && <Empty text={t.machines.noAccounts} />}
      </Rows>
      <Pages {...facts.accounts} path={MACHINES} />
    </Section>
  );
}

interface AccountProps {
  readonly account: ServiceAccount;
  readonly keys: readonly ApiKey[];
}

function AccountRow({ account, keys }: AccountProps) {
  const { t } = useView();
  const { id, name } = account;
  const confirm = pathWith(`${MACHINES}/confirm`, { step: "delete-account", id, name });
  return (
    <>
      <Row
        title={name}
        facts={
          <>
            {t.machines.created} <Time at={account.createdAt} />
          </>
        }
      >
        <a class="button bad" href={confirm} data-confirm="yes" aria-label={t.machines.deleteAccountTitle(name)}>
          {t.machines.deleteAccount}
        </a>
      </Row>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
      <li>
        <details class="what">
          <summary>{t.machines.newKeyFor(name)}</summary>
          <KeyForm accountId={id} />
        </details>
      </li>
    </>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t, dates } = useView();
  const shown = `sk_${apiKey.keyId}…`;
  const id = `${apiKey.serviceAccountId}/${apiKey.id}`;
  return (
    <Row
      title={<span class="mono">{shown}</span>}
      facts={
        <>
          {apiKey.scopes.map((scope) => t.machines.scopes[scope]).join(", ")} ·{" "}
          {t.machines.until(dates.day(apiKey.expiresAt))} ·{" "}
          {apiKey.lastUsedAt ? (
            <>
              {t.machines.lastUsed} <Time at={apiKey.lastUsedAt} />
            </>
          ) : (
            t.machines.neverUsed
          )}
        </>
      }
    >
      <a
        class="button bad"
        href={pathWith(`${MACHINES}/confirm`, { step: "revoke-key", id, name: shown })}
        data-confirm="yes"
        aria-label={t.machines.revokeKeyTitle(shown)}
      >
        {t.machines.revokeKey}
      </a>
    </Row>
  );
}

function KeyForm({ accountId }: { readonly accountId: string }) {
  const { t } = useView();
  return (
    <Form action={MACHINES} class="stack">
      <input type="hidden" name="id" value={accountId} />
      <fieldset class="stack">
        <legend>{t.machines.mayDo}</legend>
        {(Object.entries(t.machines.scopes) as [KeyScope, string][]).map(([scope, text]) => (
          <label key={scope} class="check">
            <input type="checkbox" name={`scope:${scope}`} value="yes" /> {text}
          </label>
        ))}
        <p class="hint">{t.machines.scopeHint}</p>
      </fieldset>
      <Field name="days" id={`days-${accountId}`} label={t.machines.days} value="90" maxlength={3} />
      <Button name="step" value="create-key">
        {t.machines.makeKey}
      </Button>
    </Form>
  );
}

interface ShownOnceProps {
  readonly profile: Profile;
  readonly title: string;
  readonly secret: string;
}

/** A key or secret as the answer to the POST that made it: it is never shown again. */
export function ShownOnceBody({ profile, title, secret }: ShownOnceProps) {
  const { t } = useView();
  return (
    <Shell at={MACHINES} profile={profile}>
      <h1>{title}</h1>
      <div class="panel stack">
        <p role="status">{t.machines.shownOnce}</p>
        <ul class="codes mono" data-codes>
          <li>{secret}</li>
        </ul>
        <div class="actions scripted">
          <button class="button" type="button" data-copy={t.machines.copied}>
            {t.machines.copy}
          </button>
        </div>
        <a class="button primary wide" href={MACHINES}>
          {t.machines.kept}
        </a>
      </div>
    </Shell>
  );
}
