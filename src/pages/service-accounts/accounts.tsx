/** The service accounts of an organization or of the platform, each a card with its keys. */

import type { ListedApiKey } from "../../models/service-account/api-key.ts";
import { isPlatformPermission } from "../../vocabulary/key-scope.ts";
import { confirmPath } from "../action.ts";
import { Icon, Tile } from "../components/icon.tsx";
import { Pages, Tag, Time } from "../components/lists.tsx";
import { OverflowMenu } from "../components/overflow.tsx";
import { Cell } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { createAccount, createKey, deleteAccount, revokeAccountKey } from "./actions.tsx";
import { scopeText } from "./forms.tsx";
import { EmptyPart, type PartProps } from "./parts.tsx";
import { formPath, newTrustPath, trailPath } from "./place.ts";
import { TrustRows } from "./trust-list.tsx";
import { type AccountCard, type DisplayedPart, displayedKey, maskedKey } from "./view-model.ts";

type AccountsProps = PartProps & { readonly part: Extract<DisplayedPart, { kind: "accounts" }> };

/** A key that ends within this time has a mark. */
const SOON_MS = 14 * 24 * 3600 * 1000;

export function AccountCards({ scope, part: { cards } }: AccountsProps) {
  const { t } = useView();
  return (
    <>
      {cards.items.map((card) => (
        <AccountBox key={card.account.id} scope={scope} card={card} />
      ))}
      {cards.items.length === 0 && (
        <EmptyPart
          scope={scope}
          text={t.serviceAccounts.noAccounts}
          step={createAccount.step}
          icon="key"
          action={t.serviceAccounts.newAccount}
        />
      )}
      <Pages {...cards} path={scope.basePath} />
    </>
  );
}

type CardProps = PartProps & { readonly card: AccountCard };

function AccountBox({ scope, card: { account, keys, trusts } }: CardProps) {
  const { t } = useView();
  const { id, name, createdAt } = account;
  return (
    <section class="box" aria-label={name}>
      <header>
        <div class="person">
          <Tile name="key" />
          <div class="what">
            <h2>{name}</h2>
            <p>
              {t.serviceAccounts.created} <Time at={createdAt} />
            </p>
          </div>
        </div>
        {scope.canEdit && (
          <div class="line">
            <a
              class="button"
              href={formPath(scope.basePath, createKey.step, id)}
              data-confirm="yes"
              aria-label={t.serviceAccounts.newKeyFor({ name })}
            >
              <Icon name="plus" />
              {t.serviceAccounts.newKey}
            </a>
            <a
              class="button"
              href={newTrustPath(scope.basePath, id)}
              aria-label={t.serviceAccounts.trusts.newFor({ name })}
            >
              <Icon name="plus" />
              {t.serviceAccounts.trusts.new}
            </a>
            <OverflowMenu label={t.serviceAccounts.actionsFor({ name })}>
              <a href={trailPath(scope.basePath, id)}>
                <Icon name="audit" />
                {t.serviceAccounts.whatItDid}
              </a>
              <a href={confirmPath(scope.basePath, deleteAccount, { id })} data-confirm="yes">
                <Icon name="trash" />
                {t.serviceAccounts.deleteAccount}
              </a>
            </OverflowMenu>
          </div>
        )}
      </header>
      {keys.length === 0 ? (
        <p class="empty">{t.serviceAccounts.noKeys}</p>
      ) : (
        <KeyTable scope={scope} name={name} keys={keys} />
      )}
      <TrustRows scope={scope} name={name} trusts={trusts} />
    </section>
  );
}

function KeyTable({
  scope,
  name,
  keys,
}: PartProps & { readonly name: string; readonly keys: readonly ListedApiKey[] }) {
  const { t } = useView();
  const { keyHead, mayDo, expiresHead, lastUsedHead, actions } = t.serviceAccounts;
  return (
    <table class="table" aria-label={t.serviceAccounts.keysOf({ name })}>
      <thead>
        <tr>
          {[keyHead, mayDo, expiresHead, lastUsedHead].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          {scope.canEdit && (
            <th scope="col">
              <span class="sr">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} scope={scope} apiKey={key} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ scope, apiKey }: PartProps & { readonly apiKey: ListedApiKey }) {
  const view = useView();
  const { t } = view;
  return (
    <tr>
      <Cell>
        <KeyTitle apiKey={apiKey} />
        {apiKey.creator && <small>{t.serviceAccounts.createdBy({ name: apiKey.creator })}</small>}
      </Cell>
      <Cell label={t.serviceAccounts.mayDo}>
        <span class="line">
          {apiKey.scopes.map((name) => (
            <span key={name} class="tag mono" title={scopeText(t, name)}>
              {name}
              {scope.basePath === "/machines" && isPlatformPermission(name) && ` (${t.serviceAccounts.withoutEffect})`}
            </span>
          ))}
        </span>
        {scope.basePath === "/admin/machines" && <Reach apiKey={apiKey} />}
      </Cell>
      <Cell label={t.serviceAccounts.expiresHead}>
        <Expiry at={apiKey.expiresAt} />
      </Cell>
      <Cell label={t.serviceAccounts.lastUsedHead}>
        {apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} /> : <span class="soft">{t.serviceAccounts.neverUsed}</span>}
        {scope.basePath === "/admin/machines" && apiKey.lastUsedAt && (
          <small>
            <a
              href={trailPath(scope.basePath, apiKey.id)}
              aria-label={t.serviceAccounts.whatItDidBy({ name: displayedKey(view, apiKey) })}
            >
              {t.serviceAccounts.whatItDid}
            </a>
          </small>
        )}
      </Cell>
      {scope.canEdit && (
        <td class="end more">
          <a
            class="button quiet bad"
            href={confirmPath(scope.basePath, revokeAccountKey, { id: `${apiKey.serviceAccountId}/${apiKey.id}` })}
            data-confirm="yes"
            aria-label={`${t.serviceAccounts.revokeKey}: ${displayedKey(view, apiKey)}`}
          >
            {t.serviceAccounts.revokeKey}
          </a>
        </td>
      )}
    </tr>
  );
}

/** The organizations in which a key of the platform acts: every organization, or their number. */
function Reach({ apiKey: { organizations } }: { readonly apiKey: ListedApiKey }) {
  const { t } = useView();
  const { everyOrganization, reach } = t.serviceAccounts;
  return <small>{organizations === null ? everyOrganization : `${reach}: ${organizations.length}`}</small>;
}

/** The name of the key, then the beginning of the key text. */
function KeyTitle({ apiKey }: { readonly apiKey: ListedApiKey }) {
  const masked = maskedKey(useView(), apiKey);
  if (apiKey.name === null) return <strong class="mono">{masked}</strong>;
  return (
    <>
      <strong>{apiKey.name}</strong> <small class="mono">{masked}</small>
    </>
  );
}

/** The last day, and for a key that ends soon the remaining time. */
function Expiry({ at }: { readonly at: Date }) {
  const { dates, site } = useView();
  const endsSoon = at.getTime() - site.clock.now() < SOON_MS;
  return (
    <>
      <time class="num" dateTime={at.toISOString()} title={dates.exact(at)}>
        {dates.date(at)}
      </time>{" "}
      {endsSoon && <Tag kind="warn">{dates.relative(at)}</Tag>}
    </>
  );
}
