/** The keys of a directory, and a new key, which is displayed once. */
import { DAY_MS } from "../../base/time-units.ts";
import { KEY_WARNING_DAYS } from "../../limits/directory-limits.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Button, Form } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { displayedKey } from "../service-accounts/view-model.ts";
import { useView } from "../view.tsx";
import { DIRECTORY } from "./paths.ts";
import type { DirectoryViewModel } from "./view-model.ts";

/** A key that ends within this time has a mark: the time of the first warning. */
const SOON_MS = Math.max(...KEY_WARNING_DAYS) * DAY_MS;

export function KeysSection({ viewModel: { keys, canEdit } }: { readonly viewModel: DirectoryViewModel }) {
  const { t } = useView();
  const { keys: title, keysLead, noKeys, createKey } = t.provisioning;
  return (
    <Section title={title} lead={keysLead}>
      <Rows>
        {keys.length === 0 && <Empty text={noKeys} />}
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} canEdit={canEdit} />
        ))}
      </Rows>
      {canEdit && (
        <Form action={DIRECTORY} class="actions">
          <Button kind="primary" name="step" value="create-key">
            {createKey}
          </Button>
        </Form>
      )}
    </Section>
  );
}

interface KeyRowProps {
  readonly apiKey: DirectoryViewModel["keys"][number];
  readonly canEdit: boolean;
}

function KeyRow({ apiKey, canEdit }: KeyRowProps) {
  const { t, dates, site } = useView();
  const { expiresHead, lastUsedHead, neverUsed, revokeKey } = t.serviceAccounts;
  const { id, serviceAccountId, accountName, expiresAt, lastUsedAt } = apiKey;
  const name = displayedKey(apiKey);
  const endsSoon = expiresAt.getTime() - site.clock.now() < SOON_MS;
  const confirm = pathWith(`${DIRECTORY}/confirm`, { step: "revoke-key", id: `${serviceAccountId}/${id}` });
  return (
    <Row
      title={
        <>
          <strong class="mono">{name}</strong> {endsSoon && <Tag kind="warn">{dates.relative(expiresAt)}</Tag>}
        </>
      }
      details={
        <>
          {accountName} · {expiresHead}: {dates.date(expiresAt)} · {lastUsedHead}:{" "}
          {lastUsedAt ? <Time at={lastUsedAt} /> : neverUsed}
        </>
      }
    >
      {canEdit && (
        <a class="button quiet bad" href={confirm} data-confirm="yes" aria-label={`${revokeKey}: ${name}`}>
          {revokeKey}
        </a>
      )}
    </Row>
  );
}

interface NewKeyProps {
  readonly secret: string;
  readonly baseUrl: string;
}

export function NewKeyBody({ profile, ...key }: NewKeyProps & { readonly profile: Profile }) {
  const { keyTitle } = useView().t.serviceAccounts;
  return (
    <Shell at={DIRECTORY} profile={profile} inside>
      <h1>{keyTitle}</h1>
      <NewKeyPanel {...key} place={DIRECTORY} />
    </Shell>
  );
}

/** A new key and the address of the directory. `place`: the page after the copy. */
export function NewKeyPanel({ secret, baseUrl, place }: NewKeyProps & { readonly place: string }) {
  const { t } = useView();
  const { displayedOnce, keyHead, kept } = t.serviceAccounts;
  return (
    <>
      <div class="panel stack">
        <p class="note warn" role="status">
          {displayedOnce}
        </p>
        <Rows>
          <CopyRow id="key" label={keyHead} text={secret} />
          <CopyRow id="base-url" label={t.provisioning.baseUrl} text={baseUrl} />
        </Rows>
        <a class="button primary wide" href={place}>
          {kept}
        </a>
      </div>
      <CopyResults />
    </>
  );
}
