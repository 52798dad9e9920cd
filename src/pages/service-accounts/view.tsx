/** Shared views of the pages of service accounts and webhooks: `/machines` and, in the console, `/admin/machines`. */
import type { ApiKey, KeyScope } from "../../models/service-account/api-key.ts";
import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import { Button, Check, Field, FieldError, Form, type FormState, Problem } from "../components/form.tsx";
import { Empty, Pages, Row, Rows, Section, Time, Until } from "../components/lists.tsx";
import { SecretToCopy } from "../components/secret.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import {
  displayedKey,
  KEY_DAYS_MAX,
  type ServiceAccountScope,
  type ServiceAccountViewModel,
  scopeField,
} from "./view-model.ts";
import { DeliverySection, WebhookSection } from "./webhooks.tsx";

export interface ServiceAccountProps {
  /** Undefined for a caller without permission to see the lists. */
  readonly viewModel: ServiceAccountViewModel | undefined;
  /** State of the refused form. */
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function ServiceAccountsView({ viewModel, state, needsStepUp }: ServiceAccountProps) {
  const { t } = useView();
  return (
    <>
      <h1>{t.serviceAccounts.title}</h1>
      <Problem state={state} />
      {viewModel ? (
        <>
          <StepUpAgain visible={needsStepUp} at={viewModel.basePath} />
          <AccountSection viewModel={viewModel} state={state} />
          <WebhookSection viewModel={viewModel} state={state} />
          {viewModel.deliveries && <DeliverySection viewModel={viewModel} {...viewModel.deliveries} />}
        </>
      ) : (
        <p class="soft">{t.serviceAccounts.notYours}</p>
      )}
    </>
  );
}

function AccountSection({
  viewModel,
  state,
}: {
  readonly viewModel: ServiceAccountViewModel;
  readonly state: FormState;
}) {
  const { t } = useView();
  const { basePath, canEdit, accounts, keys } = viewModel;
  return (
    <Section title={t.serviceAccounts.accounts} lead={t.serviceAccounts.accountsLead}>
      {canEdit && (
        <Form action={basePath} class="bar">
          <Field name="name" label={t.serviceAccounts.name} state={state} maxlength={120} />
          <Button kind="primary" name="step" value="create-account">
            {t.serviceAccounts.create}
          </Button>
        </Form>
      )}
      <Rows>
        {accounts.items.map((account) => (
          <AccountRow
            key={account.id}
            viewModel={viewModel}
            account={account}
            keys={keys.get(account.id) ?? []}
            state={sentFor(state, account)}
          />
        ))}
        {accounts.items.length === 0 && <Empty text={t.serviceAccounts.noAccounts} />}
      </Rows>
      <Pages {...accounts} path={basePath} />
    </Section>
  );
}

/** The state of the key form, if the key form of this account was refused. */
function sentFor(state: FormState, { id }: ServiceAccount): FormState | undefined {
  const { values } = state;
  return values?.step === "create-key" && values.id?.toLowerCase() === id ? state : undefined;
}

interface AccountProps {
  readonly viewModel: ServiceAccountViewModel;
  readonly account: ServiceAccount;
  readonly keys: readonly ApiKey[];
  /** State of the key form, if the form was refused. */
  readonly state: FormState | undefined;
}

function AccountRow({ viewModel: { basePath, canEdit, accounts }, account, keys, state }: AccountProps) {
  const { t } = useView();
  const { id, name } = account;
  // A refused form is displayed on the list page with its account.
  const here = pathWith(basePath, { page: accounts.page > 1 ? String(accounts.page) : undefined });
  const confirm = pathWith(`${basePath}/confirm`, { step: "delete-account", id });
  return (
    <>
      <Row
        title={name}
        details={
          <>
            {t.serviceAccounts.created} <Time at={account.createdAt} />
          </>
        }
      >
        {canEdit && (
          <a
            class="button bad"
            href={confirm}
            data-confirm="yes"
            aria-label={t.serviceAccounts.deleteAccountTitle(name)}
          >
            {t.serviceAccounts.deleteAccount}
          </a>
        )}
      </Row>
      {keys.map((key) => (
        <KeyRow key={key.id} basePath={basePath} canEdit={canEdit} apiKey={key} />
      ))}
      {canEdit && (
        <li>
          <details class="what" open={state !== undefined}>
            <summary>{t.serviceAccounts.newKeyFor(name)}</summary>
            <KeyForm basePath={basePath} action={here} accountId={id} state={state ?? {}} />
          </details>
        </li>
      )}
    </>
  );
}

type KeyProps = Pick<ServiceAccountViewModel, "basePath" | "canEdit"> & { readonly apiKey: ApiKey };

function KeyRow({ basePath, canEdit, apiKey }: KeyProps) {
  const { t, dates } = useView();
  const masked = displayedKey(apiKey);
  const id = `${apiKey.serviceAccountId}/${apiKey.id}`;
  const scopes = dates.list(apiKey.scopes.map((scope) => t.serviceAccounts.scopes[scope]));
  return (
    <Row
      title={<span class="mono">{masked}</span>}
      details={
        <>
          {scopes} · <Until at={apiKey.expiresAt} /> ·{" "}
          {apiKey.lastUsedAt ? (
            <>
              {t.serviceAccounts.lastUsed} <Time at={apiKey.lastUsedAt} />
            </>
          ) : (
            t.serviceAccounts.neverUsed
          )}
        </>
      }
    >
      {canEdit && (
        <a
          class="button bad"
          href={pathWith(`${basePath}/confirm`, { step: "revoke-key", id })}
          data-confirm="yes"
          aria-label={t.serviceAccounts.revokeKeyTitle(masked)}
        >
          {t.serviceAccounts.revokeKey}
        </a>
      )}
    </Row>
  );
}

/**
 * A key of the platform acts in no organization, and applications belong to the platform (docs/contract.md, section
 * 25.4): each form offers only the scopes with an effect.
 */
function isOffered(basePath: ServiceAccountScope, scope: KeyScope): boolean {
  const withoutEffect = basePath === "/machines" ? "oauth_clients." : "members.";
  return !scope.startsWith(withoutEffect);
}

interface KeyFormProps {
  readonly basePath: ServiceAccountScope;
  readonly action: string;
  readonly accountId: string;
  readonly state: FormState;
}

function KeyForm({ basePath, action, accountId, state }: KeyFormProps) {
  const { t } = useView();
  const error = state.errors?.scopes;
  const groupId = `scopes-${accountId}`;
  const scopes = (Object.entries(t.serviceAccounts.scopes) as [KeyScope, string][]).filter(([scope]) =>
    isOffered(basePath, scope),
  );
  return (
    <Form action={action} class="stack">
      <input type="hidden" name="id" value={accountId} />
      <fieldset class="stack" aria-describedby={error ? `${groupId}-error` : undefined}>
        <legend>{t.serviceAccounts.mayDo}</legend>
        {scopes.map(([scope, text], index) => (
          <Check
            key={scope}
            name={scopeField(scope)}
            label={text}
            state={state}
            autofocus={index === 0 && error !== undefined}
          />
        ))}
        <div class="field">
          <FieldError id={groupId} text={error} announced />
          {!error && <p class="hint">{t.serviceAccounts.scopeHint}</p>}
        </div>
      </fieldset>
      <Field
        name="days"
        id={`days-${accountId}`}
        label={t.serviceAccounts.days}
        state={state}
        type="number"
        min={1}
        max={KEY_DAYS_MAX}
        value="90"
      />
      <Button name="step" value="create-key">
        {t.serviceAccounts.makeKey}
      </Button>
    </Form>
  );
}

interface OneTimeSecretProps {
  readonly basePath: ServiceAccountScope;
  readonly title: string;
  readonly secret: string;
}

/**
 * Displays a key or secret in the response to the POST that created the key or secret; no later page displays the text.
 */
export function OneTimeSecretView({ basePath, title, secret }: OneTimeSecretProps) {
  const { t } = useView();
  return (
    <>
      <h1>{title}</h1>
      <div class="panel stack">
        <p role="status">{t.serviceAccounts.displayedOnce}</p>
        <SecretToCopy secret={secret} />
        <a class="button primary wide" href={basePath}>
          {t.serviceAccounts.kept}
        </a>
      </div>
    </>
  );
}
