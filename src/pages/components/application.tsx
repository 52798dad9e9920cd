/**
 * The identity of an application (docs/contract.md, section 23.32). The only file of the pages that displays the name
 * of an application: an application is never displayed under another identity (docs/guarantees.md, G320).
 */

import { displayRulesOf, identityOf, vouchingHost } from "../../flows/oauth/clients/client-identity.ts";
import { isOfDevice } from "../../flows/oauth/documents/read-document.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { useView, type View } from "../view.tsx";
import { Icon } from "./icon.tsx";
import { Mark } from "./mark.tsx";

/** The application in a sentence, title or label: the host of the document precedes the name of the document. */
export function applicationName({ t }: Pick<View, "t">, client: ClientIdentity): string {
  const host = vouchingHost(client);
  if (host !== undefined) return `${host} (${client.name})`;
  return displayRulesOf(client).identity === "none" ? t.oauth.unverifiedName({ name: client.name }) : client.name;
}

/** The logo beside the name. Decorative, as `Mark`. */
export function ApplicationMark({ client, small }: { readonly client: ClientIdentity; readonly small?: boolean }) {
  return <Mark name={vouchingHost(client) ?? client.name} logoUrl={client.logoUrl} {...(small ? { small } : {})} />;
}

interface WarningProps {
  readonly client: ClientIdentity;
  /** Every program on the device of the user can receive the responses to the application. */
  readonly ofDevice?: boolean;
}

export function ApplicationWarning({ client, ofDevice = false }: WarningProps) {
  const { t } = useView();
  const { warning } = displayRulesOf(client);
  if (warning === null) return null;
  return (
    <p class="note warn">
      <Icon name="warning" />
      <span>{ofDevice && warning === "unregistered" ? t.oauth.anyProgram : t.oauth[warning]}</span>
    </p>
  );
}

interface HeadProps {
  readonly client: OAuthClient;
  /** The title with the name of the application. */
  readonly title: (values: { readonly name: string }) => string;
  /** The redirect URI of the request; undefined for a device. */
  readonly redirectUri: string | undefined;
}

/** The heading of a page at which a user decides about an application: hosts first, then the logo and the name. */
export function ApplicationHead({ client, title, redirectUri }: HeadProps) {
  const view = useView();
  const identity = identityOf(client);
  const isNamed = displayRulesOf(client).identity === "name";
  const known = isNamed ? (redirectUri ?? addressOf(client)) : undefined;
  return (
    <header class="stage-head">
      {!isNamed && <Hosts client={identity} redirectUri={redirectUri} />}
      <ApplicationMark client={identity} />
      <h1>{title({ name: applicationName(view, identity) })}</h1>
      {known && <p class="soft">{hostOf(known)}</p>}
      <ApplicationWarning client={identity} ofDevice={isOfDevice(client, redirectUri)} />
    </header>
  );
}

function Hosts({ client, redirectUri }: { readonly client: ClientIdentity; readonly redirectUri: string | undefined }) {
  const { t } = useView();
  const host = vouchingHost(client);
  if (host === undefined && redirectUri === undefined) return null;
  return (
    <dl class="hosts">
      {host && <dt>{t.oauth.documentHost}</dt>}
      {host && <dd>{host}</dd>}
      {redirectUri && <dt>{t.oauth.responseHost}</dt>}
      {redirectUri && <dd>{hostOf(redirectUri)}</dd>}
    </dl>
  );
}

/** An address that an administrator registered. */
function addressOf({ redirectUris, policyUri, tosUri }: OAuthClient): string | undefined {
  return redirectUris[0] ?? policyUri ?? tosUri ?? undefined;
}

/** The host of an address, which users recognise; for a private-use scheme, the reversed domain name. */
export function hostOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}
