import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { readWithoutEndedRequest } from "../../flows/sso/connections/activation-request.ts";
import {
  type ImportedMetadata,
  importMetadata,
  type MetadataImport,
} from "../../flows/sso/connections/import-metadata.ts";
import { listConnectionAttempts, readConnection } from "../../flows/sso/connections/read.ts";
import { readResponsibility } from "../../flows/sso/connections/take-over.ts";
import { connectionUrls } from "../../flows/sso/connections/urls.ts";
import { readConnectionTest } from "../../flows/sso/tests/read.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { Reply } from "../../http/reply.ts";
import { pressedAction, resultText } from "../action.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  type Fields,
  type Page,
  pageNumber,
  seeOther,
  seeResult,
  uuidIn,
} from "../page.ts";
import { type ProblemMessages, refusedParts } from "../problem-messages.ts";
import { sectionIn } from "../shared/sections.tsx";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type ChangeConnectionDeps, changeConnection, connectionResultOf } from "./connection-actions.ts";
import { type ConnectionForm, connectionFormIn, refusedConnection, valuesOfConnection } from "./connection-form.ts";
import { ConnectionBody } from "./connection-view.tsx";
import { type ConnectionInput, lifecycleActions } from "./lifecycle-actions.ts";
import { ssoMessages } from "./parts.tsx";
import { CONNECTION_SECTIONS, type ConnectionSection, connectionPath, SSO } from "./paths.ts";
import { isMetadataForm, METADATA_UPLOAD, metadataIn, metadataInFile, ofFile, submittedMetadata } from "./saml-form.ts";
import { startConnectionTest } from "./test-start.tsx";
import type { ConnectionViewModel, MetadataPreview } from "./view-model.ts";

type ConnectionDeps = ChangeConnectionDeps & SignedInUserDeps & Pick<Deps, "reads" | "state">;

/** More than the domains of an organization. */
const DOMAIN_LIST_SIZE = 100;
const ATTEMPTS_PER_PAGE = 25;

/** What a page displays beside the stored connection. */
interface Displayed {
  readonly state: FormState;
  readonly refused: ConnectionForm | undefined;
  readonly parts: DisplayedParts;
  readonly preview: MetadataPreview;
}

/** `/team/single-sign-on/:id`: set-up, claims and sign-ins of a connection. */
export function connectionPage(deps: ConnectionDeps): Page {
  return authenticatedPage({
    path: `${SSO}/:id`,
    ofOrganization: true,
    // Metadata are the only long text of the forms.
    tooLarge: (call, refusal) =>
      refuse(deps, call, "overview", "preview-metadata", { ...refusal, fields: [{ field: "xml", rule: "too_long" }] }),
    get: (call) => show(deps, call, sectionIn(call.query, CONNECTION_SECTIONS)),
    async post(call) {
      const edited = connectionFormIn(call.form);
      const section = edited === "save-mapping" ? "mapping" : "overview";
      const id = uuidIn(call.params.id ?? "");
      if (call.form.text("step") === "test") return await startConnectionTest(deps, call, id);
      if (edited === "preview-metadata") {
        const previewed = await previewMetadata(deps, call, id, metadataIn(call.form));
        if (previewed.ok) return await showPreview(deps, call, previewed.value, submittedMetadata(call.form));
      }
      if (isOfLifecycle(call.form)) return await postAction(LIFECYCLE_PAGE, { deps, call });
      const outcome = await act(deps, call, id);
      if (outcome.ok) return seeResult(connectionPath(id, section), outcome.value);
      return await refuse(deps, call, section, edited, outcome.error);
    },
  });
}

/** The actions with a question. */
const LIFECYCLE_PAGE: ActionPage<ConnectionInput, FormState> = {
  frame: {
    ...shellFrame(SSO),
    refuse: (_, { view }, refusal) => refusedPage(view, refusal, connectionMessages(view, refusal)),
  },
  actions: lifecycleActions,
  place: ({ call }) => connectionPath(uuidIn(call.params.id ?? "")),
};

/** A change since the display has a text of its own. */
function connectionMessages(view: View, { reason }: Refusal): ProblemMessages {
  const { changedSince } = view.t.common;
  return {
    ...ssoMessages(view),
    conflict: reason === "changed_meanwhile" ? changedSince : view.t.ssoConnections.notReady,
  };
}

function isOfLifecycle(form: Fields): boolean {
  return pressedAction(lifecycleActions, form.text("step"))[0] !== undefined;
}

/** The changes of an uploaded file, whose summary is the text of the form that applies the changes. */
export function metadataFilePage(deps: ConnectionDeps): Page {
  return authenticatedPage({
    path: `${SSO}/:id/metadata`,
    ofOrganization: true,
    upload: METADATA_UPLOAD,
    tooLarge: (call, refusal) => refuse(deps, call, "overview", "preview-metadata", ofFile(refusal)),
    get: (call) => seeOther(connectionPath(uuidIn(call.params.id ?? ""))),
    async post(call) {
      const previewed = await previewMetadata(deps, call, uuidIn(call.params.id ?? ""), metadataInFile(call.file));
      if (!previewed.ok) return await refuse(deps, call, "overview", "preview-metadata", ofFile(previewed.error));
      return await showPreview(deps, call, previewed.value, { metadata_xml: previewed.value.summary });
    },
  });
}

async function show(
  deps: ConnectionDeps,
  call: AuthenticatedCall,
  section: ConnectionSection,
  { state = {}, refused, parts = {}, preview }: Partial<Displayed> = {},
): Promise<Reply> {
  const [{ profile, view }, found] = await Promise.all([signedInUser(deps, call), viewModelOf(deps, call, section)]);
  if (!found.ok) return refusedPage(view, found.error, ssoMessages(view));
  const viewModel = { ...found.value, preview };
  const body = <ConnectionBody profile={profile} viewModel={viewModel} state={state} refused={refused} parts={parts} />;
  const title = view.t.directory.titleOf({
    section: view.t.ssoConnections.sections[section],
    name: found.value.connection.name,
  });
  const done = resultText(view, lifecycleActions, call.result) ?? connectionResultOf(view, call.result);
  return showPage(view, { title, body, done, islands: ["confirm", "copy", "local-times", "upload"], ...parts });
}

async function refuse(
  deps: ConnectionDeps,
  call: AuthenticatedCall,
  section: ConnectionSection,
  step: ConnectionForm | undefined,
  refusal: Refusal,
): Promise<Reply> {
  const state = step && (await refusedState(deps, call, step, refusal));
  if (state) return await show(deps, call, section, { state, refused: step, parts: refusedParts(refusal) });
  const { view } = await signedInUser(deps, call);
  return refusedPage(view, refusal, connectionMessages(view, refusal));
}

/** The changes of submitted metadata, which the next form applies. */
async function previewMetadata(
  deps: ConnectionDeps,
  { caller: { session }, client }: AuthenticatedCall,
  connectionId: string,
  source: Pick<MetadataImport, "url" | "xml">,
): Promise<Result<ImportedMetadata, Refusal>> {
  const caller = await authorizeSsoManager(deps, session, session.organizationId);
  if (!caller.ok) return caller;
  const request = { caller: caller.value, connectionId, client, entityId: undefined, unlinkIdentities: false };
  return await importMetadata(deps, { ...request, ...source, apply: false });
}

async function showPreview(
  deps: ConnectionDeps,
  call: AuthenticatedCall,
  { changes, leftOut, view }: ImportedMetadata,
  source: Readonly<Record<string, string>>,
): Promise<Reply> {
  const values = { ...valuesOfConnection(view.connection), ...source };
  return await show(deps, call, "overview", { preview: { changes, leftOut }, state: { values } });
}

async function act(deps: ConnectionDeps, call: AuthenticatedCall, id: string): Promise<Result<string, Refusal>> {
  const { session } = call.caller;
  const caller = await authorizeSsoManager(deps, session, session.organizationId);
  return caller.ok ? await changeConnection(deps, call, caller.value, id) : caller;
}

/** The state of the form that displays its own problem; undefined for every other problem. */
async function refusedState(
  deps: ConnectionDeps,
  call: AuthenticatedCall,
  step: ConnectionForm,
  refused: Refusal,
): Promise<FormState | undefined> {
  const isOfForm = ["conflict", "invalid_input", "mfa_required"].includes(refused.code);
  const found = isOfForm ? await viewModelOf(deps, call, "overview") : err(refused);
  if (!found.ok || (isMetadataForm(step) && found.value.connection.protocol !== "saml")) return undefined;
  const { view } = await signedInUser(deps, call);
  return refusedConnection(view, step, call.form, refused, found.value.connection);
}

async function viewModelOf(
  deps: ConnectionDeps,
  { caller: user, params, query }: AuthenticatedCall,
  section: ConnectionSection,
): Promise<Result<ConnectionViewModel, Refusal>> {
  const { session } = user;
  const authorized = await authorizeSsoReader(deps, { session }, session.organizationId);
  if (!authorized.ok) return authorized;
  const input = { caller: authorized.value, connectionId: uuidIn(params.id ?? "") };
  const found = await readConnection(deps, input);
  if (!found.ok) return found;
  const attemptsPage = clampPage(pageNumber(query), ATTEMPTS_PER_PAGE);
  const [connection, domains, attempts, test, responsibility] = await Promise.all([
    readWithoutEndedRequest(deps, found.value.connection),
    listOrganizationDomains(deps, { caller: authorized.value, page: clampPage(1, DOMAIN_LIST_SIZE) }),
    section === "attempts" ? listConnectionAttempts(deps, { ...input, page: attemptsPage }) : ok(undefined),
    readConnectionTest(deps, input),
    readResponsibility(deps, authorized.value, found.value.connection),
  ]);
  if (!domains.ok) return domains;
  if (!attempts.ok) return attempts;
  return ok({
    ...found.value,
    connection,
    place: connectionPath(input.connectionId),
    audience: "member",
    domainsPlace: `${SSO}#domains`,
    urls: connectionUrls(deps, input.connectionId),
    domains: domains.value.items,
    attempts: attempts.value,
    test: test.ok ? test.value : undefined,
    preview: undefined,
    now: new Date(deps.clock.now()),
    section,
    responsibility,
    canEdit: true,
    storesSecrets: deps.configKeys.current !== undefined,
  });
}
