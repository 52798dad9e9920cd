/** The page "Connect": everything that the configuration of an application needs. */

import { hasSecret } from "../../../flows/oauth/clients/client-change.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { applicationName } from "../../components/application.tsx";
import { CopyBlock, CopyResults, CopyRow } from "../../components/copy.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Rows, Section, Tag } from "../../components/lists.tsx";
import { SecretToCopy } from "../../components/secret.tsx";
import { useView } from "../../view.tsx";
import { CLIENTS } from "./paths.ts";
import { clientUse, SNIPPETS, type Snippet } from "./snippets/snippets.ts";

export interface ConnectProps {
  readonly client: OAuthClient;
  readonly issuer: string;
  /** Endpoints by the name of the discovery document. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** A new secret, displayed once; undefined on every later page. */
  readonly secret: string | undefined;
  /** The configuration of the product of the preset, with a placeholder for the secret; undefined: no product. */
  readonly configured: { readonly text: string; readonly product: string } | undefined;
}

export function ConnectBody(props: ConnectProps) {
  const view = useView();
  const { t } = view;
  const { client, secret } = props;
  return (
    <>
      <SubPageHead
        above={[
          { href: CLIENTS, text: t.clients.title },
          { href: `${CLIENTS}/${client.id}`, text: applicationName(view, identityOf(client)) },
        ]}
        title={t.connect.title({ name: applicationName(view, identityOf(client)) })}
        lead={props.configured ? t.connect.setupLead : t.connect.lead}
      />
      {secret !== undefined && <NewSecret secret={secret} />}
      <SetupSection {...props} />
      <ValuesSection {...props} />
      {!props.configured && <CodeSection {...props} />}
      <EndpointsSection {...props} />
      <CopyResults />
      <p>
        <a class={secret === undefined ? "button" : "button primary"} href={`${CLIENTS}/${client.id}`}>
          {secret === undefined ? t.connect.settings : t.clients.kept}
        </a>
      </p>
    </>
  );
}

function NewSecret({ secret }: { readonly secret: string }) {
  const { t } = useView();
  return (
    <Section title={t.clients.secret}>
      <div class="panel stack">
        <p role="status">{t.clients.displayedOnce}</p>
        <SecretToCopy secret={secret} />
      </div>
    </Section>
  );
}

/** The text for the product. The new secret stands in the text once, as in the values below. */
function SetupSection({ configured, secret }: ConnectProps) {
  const { t } = useView();
  if (!configured) return null;
  const { text, product } = configured;
  const title = t.connect.setup({ product });
  const complete = secret === undefined ? text : text.replaceAll(SECRET_PLACEHOLDER, () => secret);
  return (
    <Section title={title}>
      <CopyBlock id="setup" label={title} text={complete} />
    </Section>
  );
}

const SECRET_PLACEHOLDER = "<client secret>";

function ValuesSection({ client, issuer, secret, configured }: ConnectProps) {
  const { t } = useView();
  const hidden = hasSecret(client) && secret === undefined;
  return (
    <Section title={t.connect.values} lead={hidden ? t.connect.secretHidden : undefined}>
      <Rows>
        <CopyRow id="issuer" label={t.connect.issuer} text={issuer} />
        <CopyRow id="client-id" label={t.clients.clientId} text={client.id} />
        {client.redirectUris.map((uri, index) => (
          <CopyRow key={uri} id={`redirect-uri-${index}`} label={t.connect.redirectUri} text={uri} />
        ))}
      </Rows>
      {!configured && (
        <CopyBlock id="environment" label={t.connect.environment} text={environmentOf(client, issuer, secret)} />
      )}
    </Section>
  );
}

/** The variables that the examples read. Variables of websites have the prefix of Vite. */
function environmentOf(client: OAuthClient, issuer: string, secret: string | undefined): string {
  const isWebsite = clientUse(client) === "public" && client.applicationType === "web";
  const prefixes = isWebsite ? ["", "VITE_"] : [""];
  const shared = prefixes.flatMap((prefix) => [`${prefix}ISSUER=${issuer}`, `${prefix}CLIENT_ID=${client.id}`]);
  return [...shared, ...(hasSecret(client) ? [`CLIENT_SECRET=${secret ?? ""}`] : [])].join("\n");
}

function CodeSection({ client }: ConnectProps) {
  const { t } = useView();
  const use = clientUse(client);
  const suits = (snippet: Snippet) => snippet.code[use] !== undefined;
  const sorted = SNIPPETS.toSorted((one, other) => Number(suits(other)) - Number(suits(one)));
  return (
    <Section title={t.connect.code} lead={t.connect.codeLead}>
      {sorted.map((snippet, index) => (
        <SnippetFold key={snippet.library} snippet={snippet} client={client} open={index === 0} />
      ))}
    </Section>
  );
}

interface SnippetProps {
  readonly snippet: Snippet;
  readonly client: OAuthClient;
  readonly open: boolean;
}

function SnippetFold({ snippet, client, open }: SnippetProps) {
  const { t } = useView();
  const use = clientUse(client);
  const code = snippet.code[use];
  const id = `code-${snippet.library.replaceAll(".", "")}`;
  const needsSetting = snippet.withoutPkce && client.requirePkce && code !== undefined;
  return (
    <details class="fold" open={open}>
      <summary>
        <span class="fold-title">{snippet.library}</span>{" "}
        {code === undefined && <Tag kind="plain">{t.connect.unfit}</Tag>}
      </summary>
      {code === undefined ? (
        <p class="soft">{snippet.library === "oidc-client-ts" ? t.connect.browserOnly : t.connect.unsupported[use]}</p>
      ) : (
        <div class="stack">
          {needsSetting && <p class="note">{t.connect.withoutPkce}</p>}
          {client.grantTypes.includes("authorization_code") && (
            <p class="soft">
              {t.connect.callback({ path: snippet.callback })}{" "}
              {snippet.variable && t.connect.variable({ name: snippet.variable })}
            </p>
          )}
          <CopyBlock
            id={`${id}-install`}
            label={t.connect.install({ library: snippet.library })}
            text={snippet.install}
          />
          <CopyBlock id={id} label={`${snippet.library}: ${snippet.file}`} text={code} />
        </div>
      )}
    </details>
  );
}

function EndpointsSection({ issuer, endpoints }: ConnectProps) {
  const { t } = useView();
  const discovery = `${issuer}/.well-known/openid-configuration`;
  return (
    <Section title={t.connect.endpoints} lead={t.connect.endpointsLead}>
      <Rows>
        <CopyRow id="discovery" label={t.connect.discovery} text={discovery} />
        {Object.entries(endpoints).map(([name, url]) => (
          <CopyRow key={name} id={name} label={name} text={url} />
        ))}
      </Rows>
    </Section>
  );
}
