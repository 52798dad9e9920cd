import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import type { SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import type { ImportedMetadata, MetadataImport } from "../../flows/sso/connections/import-metadata.ts";
import { connectionUrls } from "../../flows/sso/connections/urls.ts";
import {
  createSetupConnection,
  readSetupConnection,
  replaceSetupConnection,
  startSetupTest,
} from "../../flows/sso/setup-links/connection.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { readConnectionTest } from "../../flows/sso/tests/read.ts";
import { authorizeSetupLink, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { bindingCookies, SSO_BINDING } from "../../http/binding-cookies.ts";
import { readCookies } from "../../http/cookies.ts";
import { postFormReply } from "../../http/post-form.ts";
import type { Reply } from "../../http/reply.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import type { FormState } from "../components/form.tsx";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { setupToken } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { NOTHING_THERE, type Page, type PageCall, type PageReply, publicPage, seeOther, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { pressedPublicAction, publicActionsOf } from "../public-action.ts";
import {
  connectionResult,
  previewOf,
  readMetadata,
  saveConnectionForm,
  testConnection,
} from "../single-sign-on/connection-actions.ts";
import { type ConnectionForm, connectionFormIn, refusedConnection } from "../single-sign-on/connection-form.ts";
import { withStoredValues } from "../single-sign-on/connection-view.tsx";
import { draftIn, PresetChoice, REPLACED } from "../single-sign-on/preset-choice.tsx";
import {
  isMetadataForm,
  METADATA_UPLOAD,
  metadataIn,
  metadataInFile,
  ofFile,
  submittedMetadata,
} from "../single-sign-on/saml-form.ts";
import { requestLinkActivation, type SetupLinkInput } from "../single-sign-on/setup-link-actions.ts";
import type { ConnectionViewModel, MetadataPreview } from "../single-sign-on/view-model.ts";
import type { View } from "../view.tsx";
import { currentStep, stepPath, wizardSteps } from "./connection-steps.ts";
import { ConnectionWizard } from "./connection-view.tsx";
import { type SetupDeps, withSetup } from "./parts.tsx";
import { SETUP_CONNECTION, SETUP_DOMAINS } from "./paths.ts";
import { TaskFrame } from "./setup-frame.tsx";

type SetupConnectionDeps = SetupDeps &
  SsoDeps &
  SsoSettingsDeps &
  SessionDeps &
  EmailDeps &
  Pick<Deps, "domainDirectory" | "reads">;

/** More than the domains of an organization. */
const DOMAIN_LIST = { page: 1, pageSize: 100 } as const;

/** A call of a live link. */
interface SetupCall {
  readonly call: PageCall;
  readonly setup: SetupCaller;
  readonly view: View;
}

/** What the page displays beside the stored connection. */
interface Displayed {
  readonly state?: FormState;
  readonly refused?: ConnectionForm;
  readonly parts?: DisplayedParts;
  readonly preview?: MetadataPreview;
}

/** `/setup/connection`: the choice of the identity provider, then each step to an active connection (`step`). */
export function setupConnectionPage(deps: SetupConnectionDeps): Page {
  const authorize = (token: string | undefined) => authorizeSetupLink(deps, token, "connection");
  return publicPage({
    path: SETUP_CONNECTION,
    readLimit: "public_reads",
    // Metadata are the only long text of the forms.
    admitsLargeForm: async (request) => (await authorize(setupToken(readCookies(request)))).ok,
    async get(call) {
      const authorized = await authorize(setupToken(call.cookies));
      return await withSetup(deps, call, authorized, (setup, view) => show(deps, { call, setup, view }));
    },
    async post(call) {
      const authorized = await authorize(setupToken(call.cookies));
      return await withSetup(deps, call, authorized, (setup, view) => receive(deps, { call, setup, view }));
    },
  });
}

/** The changes of an uploaded file, as on the page of a connection. */
export function setupMetadataFilePage(deps: SetupConnectionDeps): Page {
  const authorize = (token: string | undefined) => authorizeSetupLink(deps, token, "connection");
  return publicPage({
    path: `${SETUP_CONNECTION}/metadata`,
    upload: METADATA_UPLOAD,
    admitsLargeForm: async (request) => (await authorize(setupToken(readCookies(request)))).ok,
    get: () => seeOther(SETUP_CONNECTION),
    async post(call) {
      const authorized = await authorize(setupToken(call.cookies));
      return await withSetup(deps, call, authorized, (setup, view) => receiveFile(deps, { call, setup, view }));
    },
  });
}

async function show(deps: SetupConnectionDeps, at: SetupCall, displayed: Displayed = {}): Promise<Reply> {
  const { call, setup, view } = at;
  const found = await readSetupConnection(deps, setup);
  const title = view.t.ssoSetup.tasks.connection;
  if (!found) {
    const body = (
      <TaskFrame title={title} lead={view.t.ssoSetup.selectProvider}>
        <PresetChoice action={SETUP_CONNECTION} />
      </TaskFrame>
    );
    return showPage(view, { title, body });
  }
  const { connection } = found;
  const { state = {}, refused, parts = {}, preview } = displayed;
  const viewModel = await viewModelOf(deps, setup, found, preview);
  const steps = wizardSteps(viewModel);
  const body = (
    <ConnectionWizard
      steps={steps}
      step={currentStep(steps, viewModel, call.query.text("step"), refused)}
      viewModel={viewModel}
      state={withStoredValues(connection, state)}
      refused={refused}
      needsStepUp={false}
      asksUnlink={false}
    />
  );
  const requested = call.result === "requested" ? view.t.ssoSetup.requested : undefined;
  const done = requested ?? connectionResult(view, call.result);
  return showPage(view, { title, body, done, islands: ["copy", "local-times", "upload"], ...parts });
}

type Found = NonNullable<Awaited<ReturnType<typeof readSetupConnection>>>;

async function viewModelOf(
  deps: SetupConnectionDeps,
  { caller, link }: SetupCaller,
  found: Found,
  preview: MetadataPreview | undefined,
): Promise<ConnectionViewModel> {
  const { id, status } = found.connection;
  const [domains, test] = await Promise.all([
    listOrganizationDomains(deps, { caller, page: DOMAIN_LIST }),
    readConnectionTest(deps, { caller, connectionId: id }),
  ]);
  return {
    ...found,
    place: SETUP_CONNECTION,
    audience: "setup_link",
    responsibility: undefined,
    domainsPlace: link.intents.includes("domains") ? SETUP_DOMAINS : undefined,
    urls: connectionUrls(deps, id),
    domains: domains.ok ? domains.value.items : [],
    attempts: undefined,
    test: test.ok ? test.value : undefined,
    preview,
    now: new Date(deps.clock.now()),
    section: "overview",
    canEdit: status !== "active",
    storesSecrets: deps.configKeys.current !== undefined,
  };
}

async function receive(deps: SetupConnectionDeps, at: SetupCall): Promise<PageReply> {
  const { call, setup, view } = at;
  const { form } = call;
  const found = await readSetupConnection(deps, setup);
  if (!found) return await create(deps, at);
  const edited = connectionFormIn(form);
  if (edited) return await save(deps, at, found.connection, edited);
  // The form names the draft that it replaces: a second press of the first choice replaces nothing.
  if (form.text(REPLACED) === found.connection.id) return await create(deps, at, true);
  const action = pressedPublicAction(ACTIONS, form);
  return action ? await action.run({ deps, place: SETUP_CONNECTION, ...at }) : refusedPage(view, NOTHING_THERE);
}

function refuse(view: View, refused: Refusal): Reply {
  return refusedPage(view, refused, { conflict: view.t.ssoConnections.notReady });
}

/** `replaces`: deletes the draft for another identity provider first. */
async function create(deps: SetupConnectionDeps, { call, setup, view }: SetupCall, replaces = false): Promise<Reply> {
  const draft = draftIn(call.form);
  if (!draft) return refusedPage(view, NOTHING_THERE);
  const input = { setup, client: call.client, ...draft };
  const created = await (replaces ? replaceSetupConnection(deps, input) : createSetupConnection(deps, input));
  if (created.ok) return seeOther(stepPath("console-1"));
  const { ssoConnections, ssoSetup } = view.t;
  return refusedPage(view, created.error, { conflict: replaces ? ssoSetup.wizard.inUse : ssoConnections.full });
}

/** Saves a form, or displays the changes of submitted metadata, which the next form applies. */
async function save(
  deps: SetupConnectionDeps,
  at: SetupCall,
  connection: SsoConnection,
  edited: ConnectionForm,
): Promise<Reply> {
  const { form, client } = at.call;
  if (edited === "preview-metadata") {
    const previewed = await preview(deps, at, connection, metadataIn(form));
    if (!previewed.ok) return await showRefused(deps, at, connection, edited, previewed.error);
    return await show(deps, at, previewOf(previewed.value, submittedMetadata(form)));
  }
  const input = { caller: at.setup.caller, connectionId: connection.id, client };
  const saved: Result<unknown, Refusal> = await saveConnectionForm(deps, input, edited, form);
  return saved.ok
    ? seeResult(SETUP_CONNECTION, isMetadataForm(edited) ? "imported" : "saved")
    : await showRefused(deps, at, connection, edited, saved.error);
}

async function receiveFile(deps: SetupConnectionDeps, at: SetupCall): Promise<Reply> {
  const found = await readSetupConnection(deps, at.setup);
  if (!found) return refusedPage(at.view, NOTHING_THERE);
  const { connection } = found;
  const previewed = await preview(deps, at, connection, metadataInFile(at.call.file));
  if (previewed.ok) return await show(deps, at, previewOf(previewed.value, { metadata_xml: previewed.value.summary }));
  return await showRefused(deps, at, connection, "preview-metadata", ofFile(previewed.error));
}

function preview(
  deps: SetupConnectionDeps,
  { call: { client }, setup: { caller } }: SetupCall,
  { id: connectionId }: SsoConnection,
  source: Pick<MetadataImport, "url" | "xml">,
): Promise<Result<ImportedMetadata, Refusal>> {
  return readMetadata(deps, { caller, connectionId, client }, source);
}

async function showRefused(
  deps: SetupConnectionDeps,
  at: SetupCall,
  connection: SsoConnection,
  edited: ConnectionForm,
  refused: Refusal,
): Promise<Reply> {
  const isOfForm = refused.code === "invalid_input" || refused.reason === "changed_meanwhile";
  const fits = !isMetadataForm(edited) || connection.protocol === "saml";
  if (!isOfForm || !fits) return refuse(at.view, refused);
  const state = refusedConnection(at.view, edited, at.call.form, refused, connection);
  return await show(deps, at, { state, refused: edited, parts: refusedParts(refused) });
}

/** Continues to the identity provider with the request in the cookie of this browser. */
export const testByLink = publicActionsOf<SetupLinkInput<SetupConnectionDeps>>()({
  step: testConnection.step,
  async run({ deps, call, setup, view }) {
    const started = await startSetupTest(deps, { setup, client: call.client });
    const { go, incomplete, title } = view.t.ssoTests;
    if (!started.ok) return refusedPage(view, started.error, { conflict: incomplete });
    const { location, form } = started.value;
    const cookies = bindingCookies(deps.config, SSO_BINDING, started.value, call.cookies);
    return form
      ? postFormReply(call.request, location, form, cookies)
      : continueElsewhere(view, { title, action: go, url: location, cookies });
  },
});

const ACTIONS = { testByLink, requestLinkActivation };
