import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeDownload } from "../../flows/data-exports/authorize-download.ts";
import { downloadExport } from "../../flows/data-exports/download.ts";
import { listOwnExports, requestOwnExport } from "../../flows/data-exports/request.ts";
import { type Reply, streamReply } from "../../http/reply.ts";
import type { DataExport } from "../../models/data-export/data-export.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { type Page, seeResult } from "../page.ts";
import { messageOf, refusedForm } from "../problem-messages.ts";
import { confirmedPage, type FormProblem } from "../shared/confirmed-page.tsx";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";

const PATH = "/account/export";
const OWN_DATA_HEADERS = { "content-disposition": 'attachment; filename="my-data.json"' };
const COPIES_DISPLAYED = 5;
type ExportPageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "dataRequests">;

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
          <Button name="step" value="download">
            {t.dataExport.download}
          </Button>
        </Form>
      )}
    </Row>
  );
}

function stateOf(view: View, refusal: Refusal, { hasPassword }: Profile): FormState {
  const { dataExport: t, account } = view.t;
  const { code, bound, retryAfterSeconds } = refusal;
  if (bound === "data_exports") return { problem: t.limited({ span: view.dates.span(retryAfterSeconds ?? 0) }) };
  if (code === "authentication_required" && hasPassword) return { errors: { password: account.wrongPassword } };
  const problem = messageOf(view, refusal, { authentication_required: t.signInAgain });
  return { ...refusedForm(view, refusal, {}), problem };
}

/** A form, so that the step-up continues with the download. */
async function download(
  deps: ExportPageDeps,
  caller: SessionView,
  id: string,
  view: View,
): Promise<Result<Reply, FormProblem>> {
  const authorized = await authorizeDownload(deps, caller);
  const outcome = authorized.ok ? await downloadExport(deps, { authorized: authorized.value, id }) : authorized;
  if (outcome.ok) return ok(streamReply(200, "application/json", outcome.value, { headers: OWN_DATA_HEADERS }));
  const refusal: Refusal = outcome.error;
  const problem = messageOf(view, refusal, { authentication_required: view.t.dataExport.signInAgain });
  return err({ state: { problem }, refusal });
}

/** `/account/export`: requests a copy of the user's data, and offers the finished copies. */
export function accountExportPage(deps: ExportPageDeps): Page {
  return confirmedPage(deps, {
    path: PATH,
    title: (t) => t.dataExport.title,
    done: (t, result) => (result === "requested" ? t.dataExport.requested : undefined),
    async body({ caller }, { profile }, state) {
      const page = { page: 1, pageSize: COPIES_DISPLAYED };
      const { items } = await listOwnExports(deps, { caller: caller.session, page });
      const now = deps.clock.now();
      const copies = items.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now);
      return <ExportBody profile={profile} copies={copies} state={state} />;
    },
    async submit({ caller, client, form }, { profile, view }) {
      if (form.text("step") === "download") return await download(deps, caller.session, form.text("id"), view);
      const password = form.text("password") || undefined;
      const outcome = await requestOwnExport(deps, { caller: caller.session, password, client });
      if (outcome.ok) return ok(seeResult(PATH, "requested"));
      return err({ state: stateOf(view, outcome.error, profile), refusal: outcome.error });
    },
  });
}
