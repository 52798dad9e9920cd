import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { readWithoutEndedRequest } from "../../flows/sso/connections/activation-request.ts";
import { listConnectionAttempts, readConnection } from "../../flows/sso/connections/read.ts";
import { readResponsibility } from "../../flows/sso/connections/take-over.ts";
import { connectionUrls } from "../../flows/sso/connections/urls.ts";
import { readConnectionTest } from "../../flows/sso/tests/read.ts";
import { authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import type { Reply } from "../../http/reply.ts";
import { resultText } from "../action.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pageNumber, seeOther, uuidIn } from "../page.ts";
import { type ProblemMessages, refusedParts } from "../problem-messages.ts";
import { sectionIn } from "../shared/sections.tsx";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import {
  type ConnectionPageInput,
  type ConnectionState,
  connectionActions,
  connectionResult,
  previewOf,
  readMetadata,
  refusedForm,
  sectionOf,
} from "./connection-actions.ts";
import { ConnectionBody } from "./connection-view.tsx";
import { lifecycleActions } from "./lifecycle-actions.ts";
import { ssoMessages } from "./parts.tsx";
import { CONNECTION_SECTIONS, type ConnectionSection, connectionPath, SSO } from "./paths.ts";
import { METADATA_UPLOAD, metadataInFile, ofFile } from "./saml-form.ts";
import { mayManageSso } from "./sso-access.ts";
import type { ConnectionViewModel } from "./view-model.ts";

type ConnectionDeps = ConnectionPageInput["deps"];

/** More than the domains of an organization. */
const DOMAIN_LIST_SIZE = 100;
const ATTEMPTS_PER_PAGE = 25;

const PAGE: ActionPage<ConnectionPageInput, ConnectionState> = {
  frame: {
    ...shellFrame(SSO),
    refuse: (_, { view }, refusal) => refusedPage(view, refusal, connectionMessages(view, refusal)),
  },
  actions: { ...connectionActions, ...lifecycleActions },
  place: ({ call }) => connectionPath(uuidIn(call.params.id ?? "")),
  show: ({ deps, call }, state, parts) => show(deps, call, sectionOf(state.refused), state, parts),
};

/** `/team/single-sign-on/:id`: set-up, claims and sign-ins of a connection. */
export function connectionPage(deps: ConnectionDeps): Page {
  return authenticatedPage({
    path: `${SSO}/:id`,
    ofOrganization: true,
    // Metadata are the only long text of the forms.
    tooLarge: (call, refusal) => refuse(deps, call, { ...refusal, fields: [{ field: "xml", rule: "too_long" }] }),
    get: (call) => show(deps, call, sectionIn(call.query, CONNECTION_SECTIONS)),
    post: (call) => postAction(PAGE, { deps, call, display: (state) => show(deps, call, "overview", state) }),
  });
}

/** A change since the display has a text of its own. */
function connectionMessages(view: View, { reason }: Refusal): ProblemMessages {
  const { changedSince } = view.t.common;
  return {
    ...ssoMessages(view),
    conflict: reason === "changed_meanwhile" ? changedSince : view.t.ssoConnections.notReady,
  };
}

/** The changes of an uploaded file, whose summary is the text of the form that applies the changes. */
export function metadataFilePage(deps: ConnectionDeps): Page {
  return authenticatedPage({
    path: `${SSO}/:id/metadata`,
    ofOrganization: true,
    upload: METADATA_UPLOAD,
    tooLarge: (call, refusal) => refuse(deps, call, ofFile(refusal)),
    get: (call) => seeOther(connectionPath(uuidIn(call.params.id ?? ""))),
    async post(call) {
      const caller = await mayManageSso({ deps, call });
      const connectionId = uuidIn(call.params.id ?? "");
      const imported = caller.ok
        ? await readMetadata(
            deps,
            { caller: caller.value, connectionId, client: call.client },
            metadataInFile(call.file),
          )
        : caller;
      if (!imported.ok) return await refuse(deps, call, ofFile(imported.error));
      return await show(deps, call, "overview", previewOf(imported.value, { metadata_xml: imported.value.summary }));
    },
  });
}

async function show(
  deps: ConnectionDeps,
  call: AuthenticatedCall,
  section: ConnectionSection,
  { state, refused, preview }: ConnectionState = { state: {} },
  parts: DisplayedParts = {},
): Promise<Reply> {
  const [{ profile, view }, found] = await Promise.all([signedInUser(deps, call), viewModelOf(deps, call, section)]);
  if (!found.ok) return refusedPage(view, found.error, ssoMessages(view));
  const viewModel = { ...found.value, preview };
  const body = <ConnectionBody profile={profile} viewModel={viewModel} state={state} refused={refused} parts={parts} />;
  const title = view.t.directory.titleOf({
    section: view.t.ssoConnections.sections[section],
    name: found.value.connection.name,
  });
  const done = resultText(view, lifecycleActions, call.result) ?? connectionResult(view, call.result);
  return showPage(view, { title, body, done, islands: ["confirm", "copy", "local-times", "upload"], ...parts });
}

/** The refusal of metadata. */
async function refuse(deps: ConnectionDeps, call: AuthenticatedCall, refusal: Refusal): Promise<Reply> {
  const { view } = await signedInUser(deps, call);
  const state = await refusedForm({ deps, call, fields: call.form, view }, "preview-metadata", refusal);
  if (state) return await show(deps, call, "overview", state, refusedParts(refusal));
  return refusedPage(view, refusal, connectionMessages(view, refusal));
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
