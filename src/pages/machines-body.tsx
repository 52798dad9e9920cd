/** What the pages of service accounts and webhooks share: `/machines` and, in the console, `/admin/machines`. */
import type { ApiKey, KeyScope } from "../models/service-account/api-key.ts";
import type { ServiceAccount } from "../models/service-account/service-account.ts";
import { Button, Done, Field, Form, type FormState, Problem } from "./components/form.tsx";
import { Empty, Pages, Row, Rows, Section, Time } from "./components/lists.tsx";
import { SecretToCopy } from "./components/secret.tsx";
import type { MachineFacts, MachinePlace } from "./machines-facts.ts";
import { DeliverySection, WebhookSection } from "./machines-webhooks.tsx";
import { pathWith } from "./page.ts";
import { useView } from "./view.tsx";

export interface MachineProps {
  /** Undefined for a caller who may not see them. */
  readonly facts: MachineFacts | undefined;
  /** Of the form that was refused. */
  readonly state: FormState;
  readonly done: string | undefined;
}

export function MachinesBody({ facts, state, done }: MachineProps) {
  const { t } = useView();
  return (
    <>
      <h1>{t.machines.title}</h1>
      <Done text={done} />
      <Problem state={state} />
      {facts ? (
        <>
          <AccountSection facts={facts} state={state} />
          <WebhookSection facts={facts} state={state} />
          {facts.deliveries && <DeliverySection facts={facts} {...facts.deliveries} />}
        </>
      ) : (
        <p class="soft">{t.machines.notYours}</p>
      )}
    </>
  );
}

function AccountSection({ facts, state }: { readonly facts: MachineFacts; readonly state: FormState }) {
  const { t } = useView();
  const { place, acts, accounts, keys } = facts;
  return (
    <Section title={t.machines.accounts} lead={t.machines.accountsLead}>
      {acts && (
        <Form action={place} class="bar">
          <Field name="name" label={t.machines.name} state={state} maxlength={120} />
          <Button kind="primary" name="step" value="create-account">
            {t.machines.create}
          </Button>
        </Form>
      )}
      <Rows>
        {accounts.items.map((account) => (
          <AccountRow key={account.id} facts={facts} account={account} keys={keys.get(account.id) ?? []} />
        ))}
        {accounts.items.length === 0 && <Empty text={t.machines.noAccounts} />}
      </Rows>
      <Pages {...accounts} path={place} />
    </Section>
  );
}

interface AccountProps {
  readonly facts: MachineFacts;
  readonly account: ServiceAccount;
  readonly keys: readonly ApiKey[];
}

function AccountRow({ facts: { place, acts }, account, keys }: AccountProps) {
  const { t } = useView();
  const { id, name } = account;
  const confirm = pathWith(`${place}/confirm`, { step: "delete-account", id, name });
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
        {acts && (
          <a class="button bad" href={confirm} data-confirm="yes" aria-label={t.machines.deleteAccountTitle(name)}>
            {t.machines.deleteAccount}
          </a>
        )}
      </Row>
      {keys.map((key) => (
        <KeyRow key={key.id} place={place} acts={acts} apiKey={key} />
      ))}
      {acts && (
        <li>
          <details class="what">
            <summary>{t.machines.newKeyFor(name)}</summary>
            <KeyForm place={place} accountId={id} />
          </details>
        </li>
      )}
    </>
  );
}

type KeyProps = Pick<MachineFacts, "place" | "acts"> & { readonly apiKey: ApiKey };

function KeyRow({ place, acts, apiKey }: KeyProps) {
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
      {acts && (
        <a
          class="button bad"
          href={pathWith(`${place}/confirm`, { step: "revoke-key", id, name: shown })}
          data-confirm="yes"
          aria-label={t.machines.revokeKeyTitle(shown)}
        >
          {t.machines.revokeKey}
        </a>
      )}
    </Row>
  );
}

/** A key of the platform acts in no organization (docs/contract.md, section 25.4), so it is offered no such scope. */
function isOffered(place: MachinePlace, scope: KeyScope): boolean {
  return place === "/machines" || !scope.startsWith("members.");
}

function KeyForm({ place, accountId }: { readonly place: MachinePlace; readonly accountId: string }) {
  const { t } = useView();
  const scopes = (Object.entries(t.machines.scopes) as [KeyScope, string][]).filter(([scope]) =>
    isOffered(place, scope),
  );
  return (
    <Form action={place} class="stack">
      <input type="hidden" name="id" value={accountId} />
      <fieldset class="stack">
        <legend>{t.machines.mayDo}</legend>
        {scopes.map(([scope, text]) => (
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
  readonly place: MachinePlace;
  readonly title: string;
  readonly secret: string;
}

/** A key or secret as the answer to the POST that made it: it is never shown again. */
export function ShownOnceBody({ place, title, secret }: ShownOnceProps) {
  const { t } = useView();
  return (
    <>
      <h1>{title}</h1>
      <div class="panel stack">
        <p role="status">{t.machines.shownOnce}</p>
        <SecretToCopy secret={secret} />
        <a class="button primary wide" href={place}>
          {t.machines.kept}
        </a>
      </div>
    </>
  );
}
