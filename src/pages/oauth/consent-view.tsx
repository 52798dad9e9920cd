/** The consent page: the application, the account and organization of the user, the requested access. */
import { organizationsOffered } from "../../flows/oauth/authorize/served-organization.ts";
import { displayRulesOf, identityOf } from "../../flows/oauth/clients/client-identity.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import type { AuthorizationParameters } from "../../models/oauth-request/oauth-request.ts";
import type { Profile } from "../../models/user/profile.ts";
import { ApplicationHead, applicationName, hostOf } from "../components/application.tsx";
import { Button, Form } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Stage } from "../components/layout.tsx";
import { Picture } from "../components/picture.tsx";
import { pathWith } from "../page.ts";
import { CONSENT, INTERACTION } from "../shared/waiting-application.ts";
import { useView } from "../view.tsx";
import type { DescribedScope } from "./describe-scopes.ts";
import { AccessSection } from "./requested-access.tsx";

/** Name of the button that moves the session to a different organization. */
export const SWITCH_FIELD = "switch_to";

export interface ConsentProps {
  readonly client: OAuthClient;
  readonly parameters: AuthorizationParameters;
  /** The requested scopes in the language of the user. */
  readonly scopes: readonly DescribedScope[];
  readonly profile: Profile;
  /** The organization of the code: of the session, or the organization that the application names or serves. */
  readonly organizationId: string;
  /** Whether the application names the organization, so that no other organization is offered. */
  readonly isRequested: boolean;
  /** Whether the session must move to the organization first. */
  readonly mustSwitch: boolean;
  readonly handle: string;
  /** `account`: only the account is chosen. */
  readonly ask: "scopes" | "account";
  /** Binds the decision to the displayed content. */
  readonly seal: string;
}

export function ConsentBody(props: ConsentProps) {
  const { t } = useView();
  const { client, parameters, handle, ask, seal, mustSwitch, organizationId } = props;
  const asksScopes = ask === "scopes";
  return (
    <Stage>
      <ApplicationHead client={client} title={t.oauth.title} redirectUri={parameters.redirectUri} />
      <ul class="rows compact">
        <AccountRow {...props} />
        <OrganizationRow {...props} />
      </ul>
      {asksScopes && <AccessSection {...props} access={{ ...props.parameters, scopes: props.scopes }} />}
      <Form action={pathWith(CONSENT, { request: handle })}>
        <input type="hidden" name="shown" value={seal} />
        <div class="actions spread">
          <Button name="decision" value="deny">
            {t.oauth.deny}
          </Button>
          {mustSwitch ? (
            <Button kind="primary" name={SWITCH_FIELD} value={organizationId}>
              {t.common.continue}
            </Button>
          ) : (
            <Button kind="primary" name="decision" value="allow">
              {asksScopes ? t.oauth.allow : t.common.continue}
            </Button>
          )}
        </div>
      </Form>
      <Consequences {...props} />
    </Stage>
  );
}

function AccountRow({ profile, handle }: ConsentProps) {
  const { t } = useView();
  const back = pathWith(INTERACTION, { request: handle });
  return (
    <li>
      <Picture profile={profile} small />
      <span class="what">
        <strong>{profile.displayName ?? profile.email}</strong>
        {profile.displayName && <small>{profile.email}</small>}
      </span>
      <small>
        <a href={pathWith("/sign-in", { return_to: back, again: "1" })}>
          {t.oauth.notYou}
          <span class="sr"> {t.oauth.otherAccount}</span>
        </a>
      </small>
    </li>
  );
}

function OrganizationRow({ client, profile, organizationId, isRequested, handle }: ConsentProps) {
  const { t } = useView();
  const { organizations } = profile;
  const others = isRequested
    ? []
    : organizationsOffered(client, organizations).filter(({ id }) => id !== organizationId);
  const name = organizations.find(({ id }) => id === organizationId)?.name ?? "";
  return (
    <li>
      <span class="tile">
        <Icon name="building" />
      </span>
      <span class="what">
        <strong>{name}</strong>
        <small>{t.oauth.organizationHint}</small>
      </span>
      {others.length > 0 && (
        <details class="choice">
          <summary>
            {t.oauth.change}
            <span class="sr"> {t.oauth.changeOrganization}</span>
          </summary>
          <Form action={pathWith(CONSENT, { request: handle })}>
            <p class="soft">{t.oauth.switchHint}</p>
            {others.map((each) => (
              <Button
                key={each.id}
                wide
                name={SWITCH_FIELD}
                value={each.id}
                label={t.account.switchTo({ name: each.name })}
              >
                {each.name}
              </Button>
            ))}
          </Form>
        </details>
      )}
    </li>
  );
}

/** The address after the decision, the documents of the application, and the way to withdraw the consent. */
function Consequences({ client, parameters, ask }: ConsentProps) {
  const view = useView();
  const { t } = view;
  const name = applicationName(view, identityOf(client));
  // An application that registered itself chooses the hosts of its documents, which then name no one.
  const namesHosts = displayRulesOf(client).identity !== "none";
  const documents = [
    { url: client.clientUri, text: t.oauth.home },
    { url: client.policyUri, text: t.oauth.policy },
    { url: client.tosUri, text: t.oauth.terms },
  ];
  return (
    <div class="soft consequences">
      <p>
        {t.oauth.goesTo({ host: hostOf(parameters.redirectUri) })} {ask === "scopes" && t.oauth.removable}
      </p>
      {documents.map(
        ({ url, text }) =>
          url && (
            <p key={text}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {text({ name })}
              </a>{" "}
              {namesHosts && `(${hostOf(url)})`}
            </p>
          ),
      )}
    </div>
  );
}
