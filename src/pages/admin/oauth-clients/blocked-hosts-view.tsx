import type { BlockedHost } from "../../../models/oauth-client/blocked-host.ts";
import { confirmPath } from "../../action.ts";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { Cell, MenuCell, Table } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { block, unblock } from "./blocked-host-actions.ts";
import { BLOCKED_HOSTS, CLIENTS } from "./paths.ts";

/** A name in the DNS, and the wildcard. */
const HOST_MAX_CHARACTERS = 255;

interface BodyProps {
  readonly hosts: readonly BlockedHost[];
  readonly acts: boolean;
  readonly state: FormState;
  readonly needsStepUp: boolean;
}

export function BlockedHostsBody({ hosts, acts, state, needsStepUp }: BodyProps) {
  const { t } = useView();
  const { title, lead, none, host, since } = t.blockedHosts;
  return (
    <>
      <SubPageHead above={[{ href: CLIENTS, text: t.clients.title }]} title={title} lead={lead} />
      {hosts.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <Table label={title} columns={[host, since]} actions={acts ? t.directory.actions : undefined}>
          {hosts.map((each) => (
            <HostRow key={each.host} blocked={each} acts={acts} />
          ))}
        </Table>
      )}
      {acts && <BlockForm state={state} needsStepUp={needsStepUp} />}
    </>
  );
}

function HostRow({ blocked: { host, createdAt }, acts }: { readonly blocked: BlockedHost; readonly acts: boolean }) {
  const { t } = useView();
  return (
    <tr>
      <Cell>
        <strong>{host}</strong>
      </Cell>
      <Cell label={t.blockedHosts.since}>
        <Time at={createdAt} />
      </Cell>
      {acts && (
        <MenuCell label={t.directory.actionsFor({ name: host })}>
          <a href={confirmPath(BLOCKED_HOSTS, unblock, { id: host })} data-confirm="yes">
            {t.blockedHosts.remove}
          </a>
        </MenuCell>
      )}
    </tr>
  );
}

function BlockForm({ state, needsStepUp }: Pick<BodyProps, "state" | "needsStepUp">) {
  const { t } = useView();
  const { add, host, hostHint, addAction } = t.blockedHosts;
  return (
    <section class="stack">
      <h2>{add}</h2>
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={BLOCKED_HOSTS} />
      <Form action={BLOCKED_HOSTS} class="panel stack">
        <Field name="host" label={host} hint={hostHint} state={state} maxlength={HOST_MAX_CHARACTERS} />
        <Actions cancel={CLIENTS}>
          <Button kind="bad" name="step" value={block.step}>
            {addAction}
          </Button>
        </Actions>
      </Form>
    </section>
  );
}
