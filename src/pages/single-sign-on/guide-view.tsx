import type { ConnectionUrls } from "../../flows/sso/connections/urls.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import type { SsoProtocol } from "../../vocabulary/sso/protocol-config.ts";
import { consoleSentence } from "../components/console-guide.ts";
import { CopyRow } from "../components/copy.tsx";
import { Rows } from "../components/lists.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { type CopyTarget, GUIDES, type GuideAction } from "./guides.ts";
import { SAML_GUIDES, SAML_PRODUCT_GUIDES } from "./saml-guides.ts";

interface GuideProps {
  readonly protocol: SsoProtocol;
  readonly preset: Preset;
  readonly urls: ConnectionUrls;
}

/** The instructions of a preset; for an identity provider without a preset also the instructions of known products. */
export function GuideSteps({ protocol, preset, urls }: GuideProps) {
  const actions = protocol === "saml" ? SAML_GUIDES[preset] : GUIDES[preset].actions;
  const products = protocol === "saml" && preset === "custom" ? Object.entries(SAML_PRODUCT_GUIDES) : [];
  return (
    <>
      <Steps actions={actions} urls={urls} id="guide" />
      {products.map(([name, ofProduct], index) => (
        <details class="fold" key={name}>
          <summary>
            <span class="fold-title">{name}</span>
          </summary>
          <div>
            <Steps actions={ofProduct} urls={urls} id={`guide-of-${index}`} />
          </div>
        </details>
      ))}
    </>
  );
}

interface StepsProps extends Pick<GuideProps, "urls"> {
  readonly actions: readonly GuideAction[];
  /** The beginning of the ids of the addresses. */
  readonly id: string;
}

/** Instructions, with a copy button beside every address. */
function Steps({ actions, urls, id }: StepsProps) {
  const { t } = useView();
  return (
    <ol class="guide">
      {actions.map((action, index) => (
        <li key={sentenceOf(t, action)}>
          {sentenceOf(t, action)}
          {action.kind === "enter" && (
            <Rows>
              <CopyRow id={`${id}-${index}`} label={action.field} text={urls[action.address]} />
            </Rows>
          )}
        </li>
      ))}
    </ol>
  );
}

function sentenceOf(texts: Texts, action: GuideAction): string {
  const { ssoConnections, clients, connect, saml } = texts;
  const { claims, guide, clientSecret } = ssoConnections;
  switch (action.kind) {
    case "enter":
      return guide.enter({ field: action.field });
    case "copy": {
      const names: Readonly<Record<CopyTarget, string>> = {
        issuer: connect.issuer,
        client_id: clients.clientId,
        client_secret: clientSecret,
        email_from: claims.email_from,
        subject_from: claims.subject_from,
        metadata_url: saml.metadataUrl,
        metadata_xml: saml.metadataXml,
      };
      return guide.copy({ field: action.field, target: names[action.target] });
    }
    case "repeat":
      return guide.repeat({ field: action.field, target: action.target });
    default:
      return consoleSentence(texts, action);
  }
}

/** The names of the protocols for the addresses of a connection. */
const ADDRESS_NAMES: Readonly<Record<SsoProtocol, Readonly<Partial<Record<keyof ConnectionUrls, string>>>>> = {
  oidc: {
    redirectUri: "redirect_uri",
    initiateLoginUri: "initiate_login_uri",
    jwksUri: "jwks_uri",
    backchannelLogoutUri: "backchannel_logout_uri",
  },
  saml: {
    acsUrl: "acs_url",
    sloUrl: "sp_slo_url",
    spEntityId: "sp_entity_id",
    initiateLoginUri: "initiate_login_uri",
  },
};

export function AddressRows({ protocol, urls }: Pick<GuideProps, "protocol" | "urls">) {
  const names = Object.entries(ADDRESS_NAMES[protocol]) as readonly (readonly [keyof ConnectionUrls, string])[];
  return (
    <Rows>
      {names.map(([key, name]) => (
        <CopyRow key={key} id={`address-${name}`} label={name} text={urls[key]} />
      ))}
    </Rows>
  );
}
