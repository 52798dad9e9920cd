/** `/oauth2/consent`: the requested scopes of an application, and the account and organization of the user. */
import {
  type AuthorizeDeps,
  continueAuthorization,
  denyAuthorization,
  findPendingRequest,
  respondWithCode,
} from "../../flows/oauth-provider/authorize.ts";
import { sealDisplayedConsent, wasDisplayed } from "../../flows/oauth-provider/displayed-consent.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import type { AuthorizationParameters } from "../../models/oauth-request/oauth-request.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage } from "../components/layout.tsx";
import { authorizationToken } from "../cookies.ts";
import { PAGE_POLICY, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { CONSENT, INTERACTION } from "./authorize.tsx";
import { oauthErrorPage, responsePage } from "./response.tsx";

interface ConsentProps {
  readonly client: OAuthClient;
  readonly parameters: AuthorizationParameters;
  readonly email: string;
  /** The name of the organization of the tokens. */
  readonly organization: string;
  readonly handle: string;
  /** `account`: only the account is chosen. */
  readonly ask: "scopes" | "account";
  /** Binds the decision to the displayed content. */
  readonly seal: string;
}

function ConsentBody({ client, parameters, email, organization, handle, ask, seal }: ConsentProps) {
  const { t } = useView();
  const asksScopes = ask === "scopes";
  const back = pathWith(INTERACTION, { request: handle });
  return (
    <Stage after={<a href={pathWith("/sign-in", { return_to: back, again: "1" })}>{t.oauth.otherAccount}</a>}>
      {client.logoUrl && <img src={client.logoUrl} alt="" width="48" height="48" />}
      <h1>{t.oauth.title(client.name)}</h1>
      <p>
        {t.oauth.signedInAs(email)} {t.oauth.organization(organization)}
      </p>
      {asksScopes && <Asked parameters={parameters} />}
      <p class="soft">{t.oauth.goesTo(placeOf(parameters.redirectUri))}</p>
      <Form action={pathWith(CONSENT, { request: handle })}>
        <input type="hidden" name="shown" value={seal} />
        <div class="actions spread">
          <Button kind="primary" name="decision" value="allow">
            {asksScopes ? t.oauth.allow : t.common.continue}
          </Button>
          <Button name="decision" value="deny">
            {t.oauth.deny}
          </Button>
        </div>
      </Form>
    </Stage>
  );
}

function Asked({ parameters }: Pick<ConsentProps, "parameters">) {
  const { t } = useView();
  const known: Readonly<Record<string, string>> = t.oauth.scopes;
  return (
    <>
      <p>{t.oauth.lead}</p>
      <ul>
        {parameters.scopes.map((scope) => (
          <li key={scope}>{Object.hasOwn(known, scope) ? known[scope] : <code>{scope}</code>}</li>
        ))}
        {parameters.resources.map((resource) => (
          <li key={resource}>
            {t.oauth.resource} <code>{resource}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The host of an application, which users recognise; for a custom URI scheme, the scheme. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol;
}

type PageDeps = AuthorizeDeps & SignedInUserDeps;

export function consentPage(deps: PageDeps): Page {
  const find = ({ query, cookies }: AuthenticatedCall) =>
    findPendingRequest(deps, { handle: query.text("request"), browserToken: authorizationToken(cookies) });
  return authenticatedPage({
    path: "/oauth2/consent",
    async get(call) {
      const { profile, view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return oauthErrorPage(view, found.error);
      const { client, request } = found.value;
      const { session } = call.caller;
      const handle = call.query.text("request");
      const step = await continueAuthorization(deps, found.value, session);
      if (step.kind !== "consent") return seeOther(pathWith(INTERACTION, { request: handle }));
      const { ask } = step;
      const seal = sealDisplayedConsent(deps, { ...found.value, session, ask });
      const organization = profile.organizations.find(({ id }) => id === session.organizationId)?.name ?? "";
      const props = { client, parameters: request.parameters, email: session.email, organization, handle, ask, seal };
      const title = view.t.oauth.title(client.name);
      return showPage(view, { title, body: <ConsentBody {...props} />, headers: policyFor(client) });
    },
    async post(call) {
      const { view } = await signedInUser(deps, call);
      const found = await find(call);
      if (!found.ok) return oauthErrorPage(view, found.error);
      const { session } = call.caller;
      const saw = (ask: "scopes" | "account") =>
        wasDisplayed(deps, { ...found.value, session, ask }, call.form.text("shown"));
      const authorized = { ...found.value, session, facts: call.client, asked: saw("scopes") };
      if (call.form.text("decision") !== "allow") {
        return responsePage(view, await denyAuthorization(deps, authorized), false);
      }
      // Requirements before the code other than consent have separate pages: this form decides about consent alone.
      const step = await continueAuthorization(deps, found.value, session);
      if (step.kind !== "consent" && step.kind !== "code") {
        return seeOther(pathWith(INTERACTION, { request: call.query.text("request") }));
      }
      if (step.kind === "consent" && !saw(step.ask)) {
        return seeOther(pathWith(CONSENT, { request: call.query.text("request") }));
      }
      const response = await respondWithCode(deps, authorized);
      return response.ok ? responsePage(view, response.value, false) : oauthErrorPage(view, response.error);
    },
  });
}

/** The logo of a registered application is the only picture of another origin. */
function policyFor({ logoUrl }: OAuthClient): Readonly<Record<string, string>> {
  if (!logoUrl) return {};
  return {
    "content-security-policy": PAGE_POLICY.replace("img-src 'self'", `img-src 'self' ${new URL(logoUrl).origin}`),
  };
}
