import { listOwnExports } from "../../flows/data-exports/request.ts";
import type { DataExport } from "../../models/data-export/data-export.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import type { Page } from "../page.ts";
import { confirmedPage } from "../shared/confirmed-page.tsx";
import { useView } from "../view.tsx";
import { downloadCopy, type ExportInput, exportActions, requestExport } from "./export-actions.ts";

const PATH = "/account/export";
const COPIES_DISPLAYED = 5;

interface BodyProps {
  readonly profile: Profile;
  readonly copies: readonly DataExport[];
  readonly state: FormState;
}

function ExportBody({ profile, copies, state }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at="/account" profile={profile} below={t.dataExport.title}>
      <header class="head">
        <h1>{t.dataExport.title}</h1>
        <p class="soft">{t.dataExport.lead}</p>
      </header>
      <Setting title={t.dataExport.request} lead={t.dataExport.contents}>
        <div class="box">
          <Form action={PATH} class="in stack">
            <Problem state={state} />
            {profile.hasPassword && <CurrentPassword state={state} />}
            <Actions cancel="/account">
              <Button kind="primary">{t.dataExport.request}</Button>
            </Actions>
          </Form>
        </div>
      </Setting>
      <Setting title={t.dataExport.copies}>
        <Rows>
          {copies.length === 0 && <Empty text={t.dataExport.none} />}
          {copies.map((copy) => (
            <CopyRow key={copy.id} copy={copy} />
          ))}
        </Rows>
      </Setting>
    </Shell>
  );
}

function CopyRow({ copy }: { readonly copy: DataExport }) {
  const { t, dates } = useView();
  const { id, status, requestedAt, expiresAt } = copy;
  const states = { pending: t.dataExport.pending, failed: t.dataExport.failed, ready: undefined };
  const details = states[status] ?? t.dataExport.until({ time: dates.minute(expiresAt ?? requestedAt) });
  return (
    <Row
      tile={<Tile name="download" />}
      title={t.dataExport.requestedOn({ day: dates.day(requestedAt) })}
      details={details}
    >
      {status === "ready" && (
        <Form action={PATH} class="inline">
          <input type="hidden" name="id" value={id} />
          <Button name="step" value={downloadCopy.step}>
            {t.dataExport.download}
          </Button>
        </Form>
      )}
    </Row>
  );
}

/** `/account/export`: requests a copy of the user's data, and offers the finished copies. */
export function accountExportPage(deps: ExportInput["deps"]): Page {
  return confirmedPage(deps, {
    path: PATH,
    title: (t) => t.dataExport.title,
    actions: exportActions,
    defaultStep: requestExport.step,
    async body({ call: { caller } }, { profile }, state) {
      const page = { page: 1, pageSize: COPIES_DISPLAYED };
      const { items } = await listOwnExports(deps, { caller: caller.session, page });
      const now = deps.clock.now();
      const copies = items.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now);
      return <ExportBody profile={profile} copies={copies} state={state} />;
    },
  });
}
