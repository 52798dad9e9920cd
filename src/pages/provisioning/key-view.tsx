/** The keys of a directory. */

import { DAY_MS } from "../../base/time-units.ts";
import { KEY_WARNING_DAYS } from "../../limits/directory-limits.ts";
import { confirmPath } from "../action.ts";
import { Button, Form } from "../components/form.tsx";
import { Empty, Row, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { displayedKey } from "../service-accounts/view-model.ts";
import { useView } from "../view.tsx";
import { addDirectoryKey, revokeDirectoryKey } from "./actions.tsx";
import { DIRECTORY } from "./paths.ts";
import type { DirectoryViewModel } from "./view-model.ts";

/** A key that ends within this time has a mark: the time of the first warning. */
const SOON_MS = Math.max(...KEY_WARNING_DAYS) * DAY_MS;

export function KeysSection({ viewModel: { keys } }: { readonly viewModel: DirectoryViewModel }) {
  const { t } = useView();
  const { keys: title, keysLead, noKeys, createKey } = t.provisioning;
  return (
    <Section title={title} lead={keysLead}>
      <Rows>
        {keys.length === 0 && <Empty text={noKeys} />}
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Rows>
      <Form action={DIRECTORY} class="actions">
        <Button kind="primary" name="step" value={addDirectoryKey.step}>
          {createKey}
        </Button>
      </Form>
    </Section>
  );
}

interface KeyRowProps {
  readonly apiKey: DirectoryViewModel["keys"][number];
}

function KeyRow({ apiKey }: KeyRowProps) {
  const view = useView();
  const { t, dates, site } = view;
  const { expiresHead, lastUsedHead, neverUsed, revokeKey } = t.serviceAccounts;
  const { id, serviceAccountId, accountName, expiresAt, lastUsedAt } = apiKey;
  const name = displayedKey(view, apiKey);
  const endsSoon = expiresAt.getTime() - site.clock.now() < SOON_MS;
  const confirm = confirmPath(DIRECTORY, revokeDirectoryKey, { id: `${serviceAccountId}/${id}` });
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
      <a class="button quiet bad" href={confirm} data-confirm="yes" aria-label={`${revokeKey}: ${name}`}>
        {revokeKey}
      </a>
    </Row>
  );
}
