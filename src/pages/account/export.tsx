import type { Deps, SignInDeps } from "../../deps.ts";
import { listOwnExports, requestOwnExport } from "../../flows/data-exports/request.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { DataExport } from "../../models/data-export/data-export.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { messageOf, refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

const PATH = "/account/export";
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
  const { t, dates, site } = useView();
  const { id, status, requestedAt, expiresAt } = copy;
  const states = { pending: t.dataExport.pending, failed: t.dataExport.failed, ready: undefined };
  const details = states[status] ?? t.dataExport.until(dates.exact(expiresAt ?? requestedAt));
  return (
    <Row tile={<Tile name="download" />} title={t.dataExport.requestedOn(dates.day(requestedAt))} details={details}>
      {status === "ready" && (
        <a class="button" href={`${site.config.urls.routePrefix}/users/me/exports/${id}`} download="my-data.json">
          {t.dataExport.download}
        </a>
      )}
    </Row>
  );
}

/** `/account/export`: requests a copy of the user's data, and offers the finished copies. */
export function accountExportPage(deps: ExportPageDeps): Page {
  const stepUp = () => seeOther(stepUpPath(PATH));
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const page = { page: 1, pageSize: COPIES_DISPLAYED };
    const { items } = await listOwnExports(deps, { caller: call.caller.session, page });
    const now = deps.clock.now();
    const copies = items.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now);
    const done = call.result === "requested" ? view.t.dataExport.requested : undefined;
    const body = <ExportBody profile={profile} copies={copies} state={state} />;
    return showPage(view, { title: view.t.dataExport.title, body, done, islands: ["password"], ...parts });
  };
  return authenticatedPage({
    path: PATH,
    async get(call) {
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      if (!authorized.ok && authorized.error.code === "mfa_required") return stepUp();
      return await show(call, {});
    },
    async post(call) {
      const { caller, client, form } = call;
      const password = form.text("password") || undefined;
      const outcome = await requestOwnExport(deps, { caller: caller.session, password, client });
      if (outcome.ok) return seeResult(PATH, "requested");
      const { code, bound, retryAfterSeconds } = outcome.error;
      if (code === "mfa_required") return stepUp();
      const { profile, view } = await signedInUser(deps, call);
      const { dataExport: t, account } = view.t;
      if (bound === "data_exports") {
        const problem = t.limited(view.dates.span(retryAfterSeconds ?? 0));
        return await show(call, { problem }, refusedParts(outcome.error));
      }
      const isWrongPassword = code === "authentication_required" && profile.hasPassword;
      const problem = messageOf(view, outcome.error, { authentication_required: t.signInAgain });
      const state = isWrongPassword
        ? { errors: { password: account.wrongPassword } }
        : { ...refusedForm(view, outcome.error, {}), problem };
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}
