/** `/oauth2/approval`: an application without the approval of the organization, and the request for the approval. */
import { refusal } from "../../base/problem.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { continueAuthorization, findPendingRequest } from "../../flows/oauth/authorize/authorize.ts";
import { denyAuthorization } from "../../flows/oauth/authorize/deny-authorization.ts";
import { findStoredClient } from "../../flows/oauth/authorize/find-waiting-client.ts";
import type { AuthorizeDeps } from "../../flows/oauth/authorize/respond-with-code.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import {
  readApplicationStatus,
  requestApplication,
} from "../../flows/organization-applications/request-application.ts";
import { AUTHORIZATION_BINDING, bindingToken } from "../../http/binding-cookies.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import type { AuthorizationParameters } from "../../models/oauth-request/oauth-request.ts";
import { ApplicationHead, applicationName } from "../components/application.tsx";
import { Button, Form } from "../components/form.tsx";
import { Stage } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { APPROVAL, applicationView, INTERACTION } from "../shared/waiting-application.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { overPage, responsePage } from "./response.tsx";

const TOO_MANY = refusal("conflict", "Too many requests wait for the administrators of the organization.");

interface ApprovalProps {
  readonly client: OAuthClient;
  readonly parameters: AuthorizationParameters;
  readonly handle: string;
  readonly organization: string;
  readonly isRequested: boolean;
}

function ApprovalBody({ client, parameters, handle, organization, isRequested }: ApprovalProps) {
  const { t } = useView();
  const { approvalAsk, approvalBack, approvalRequested, approvalText, approvalTitle } = t.applications;
  return (
    <Stage>
      <ApplicationHead client={client} title={approvalTitle} redirectUri={parameters.redirectUri} />
      <p>{isRequested ? approvalRequested({ organization }) : approvalText({ organization })}</p>
      <Form action={pathWith(APPROVAL, { request: handle })}>
        <div class="actions spread">
          <Button name="decision" value="back">
            {approvalBack}
          </Button>
          {!isRequested && (
            <Button kind="primary" name="decision" value="ask">
              {approvalAsk}
            </Button>
          )}
        </div>
      </Form>
    </Stage>
  );
}

type ApprovalDeps = AuthorizeDeps & SignedInUserDeps & StoreDeps & Pick<Deps, "brands">;

export function approvalPage(deps: ApprovalDeps): Page {
  const find = ({ query, cookies }: AuthenticatedCall) => {
    const handle = query.text("request");
    const browserToken = bindingToken(cookies, AUTHORIZATION_BINDING, { handle });
    return findPendingRequest(deps, { handle, browserToken });
  };
  return authenticatedPage({
    path: APPROVAL,
    boundSession: "served",
    async get(call) {
      const { profile, view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return overPage(view, found.error, await findStoredClient(deps, call.query.text("request")));
      const { session } = call.caller;
      const handle = call.query.text("request");
      const { client, request } = found.value;
      const step = await continueAuthorization(deps, found.value, session);
      if (step.kind !== "approval") return seeOther(pathWith(INTERACTION, { request: handle }));
      const status = await readApplicationStatus(deps, { session, clientId: client.id });
      const organization = profile.organizations.find(({ id }) => id === session.organizationId)?.name ?? "";
      const props = { client, parameters: request.parameters, handle, organization, isRequested: status !== undefined };
      const title = view.t.applications.approvalTitle({ name: applicationName(view, identityOf(client)) });
      return showPage(await applicationView(deps, view, client), { title, body: <ApprovalBody {...props} /> });
    },
    async post(call) {
      const { view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return overPage(view, found.error, await findStoredClient(deps, call.query.text("request")));
      const { session } = call.caller;
      const { client } = found.value;
      const handle = call.query.text("request");
      if (call.form.text("decision") !== "ask") {
        const denied = { ...found.value, session, requestContext: call.client, asked: false };
        return responsePage(await applicationView(deps, view, client), await denyAuthorization(deps, denied), "page");
      }
      const step = await continueAuthorization(deps, found.value, session);
      if (step.kind !== "approval") return seeOther(pathWith(INTERACTION, { request: handle }));
      const isKept = await requestApplication(deps, { session, clientId: client.id, client: call.client });
      return isKept ? seeOther(pathWith(APPROVAL, { request: handle })) : refusedPage(view, TOO_MANY);
    },
  });
}
