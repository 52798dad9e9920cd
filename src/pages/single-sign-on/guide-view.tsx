import type { ConnectionUrls } from "../../flows/sso/connections/urls.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import type { SsoProtocol } from "../../vocabulary/sso/protocol-config.ts";
import { consoleSentence } from "../components/console-guide.ts";
import { CopyRow } from "../components/copy.tsx";
import { Rows } from "../components/lists.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { guideActions } from "./guide-screens.ts";
import type { CopyTarget, GuideAction } from "./guides.ts";
import { SAML_PRODUCT_GUIDES } from "./saml-guides.ts";

interface GuideProps {
  readonly protocol: SsoProtocol;
  readonly preset: Preset;
  readonly urls: ConnectionUrls;
}

/** The instructions of a preset; for an identity provider without a preset also the instructions of known products. */
export function GuideSteps({ protocol, preset, urls }: GuideProps) {
  return (
    <>
      <Instructions actions={guideActions({ protocol, preset })} urls={urls} id="guide" />
      {protocol === "saml" && preset === "custom" && <ProductGuides urls={urls} />}
    </>
  );
}

interface PlaceProps {
  readonly urls: ConnectionUrls;
  /** The form for the values is on a later page: the reader keeps each value. */
  readonly keeps?: boolean;
}

/** The instructions of products that a company runs, folded. */
export function ProductGuides(props: PlaceProps) {
  return (
    <>
      {Object.entries(SAML_PRODUCT_GUIDES).map(([name, ofProduct], index) => (
        <details class="fold" key={name}>
          <summary>
            <span class="fold-title">{name}</span>
          </summary>
          <div>
            <Instructions {...props} actions={ofProduct} id={`guide-of-${index}`} />
          </div>
        </details>
      ))}
    </>
  );
}

interface InstructionsProps extends PlaceProps {
  readonly actions: readonly GuideAction[];
  /** The beginning of the ids of the values. */
  readonly id: string;
}

/** Instructions, with a copy button beside every value to enter. */
export function Instructions({ actions, urls, id, keeps = false }: InstructionsProps) {
  const { t } = useView();
  return (
    <ol class="guide">
      {actions.map((action, index) => {
        const sentence = sentenceOf(t, action, keeps);
        const values = valuesOf(t, action, urls);
        return (
          <li key={sentence}>
            {sentence}
            {values.length > 0 && (
              <Rows>
                {values.map(([label, text], at) => (
                  <CopyRow key={`${label}-${text}`} id={`${id}-${index}-${at}`} label={label} text={text} />
                ))}
              </Rows>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The values that the reader copies into the console, with their labels. */
function valuesOf(
  { ssoConnections: { guide } }: Texts,
  action: GuideAction,
  urls: ConnectionUrls,
): readonly (readonly [string, string])[] {
  if (action.kind === "enter") return [[action.field, urls[action.address]]];
  if (action.kind === "type") return [[action.field, action.value]];
  if (action.kind !== "pairs") return [];
  return action.pairs.flatMap(([name, value], index) => {
    const row = String(index + 1);
    return [[guide.pairName({ row }), name] as const, [guide.pairValue({ row }), value] as const];
  });
}

function sentenceOf(texts: Texts, action: GuideAction, keeps: boolean): string {
  const { guide } = texts.ssoConnections;
  switch (action.kind) {
    case "enter":
      return guide.enter({ field: action.field });
    case "type":
      return guide.type({ field: action.field });
    case "pairs":
      return guide.pairs({ field: action.field });
    case "copy": {
      const [field, target] = [action.field, targetName(texts, action.target)];
      return keeps ? guide.keep({ field, target }) : guide.copy({ field, target });
    }
    case "repeat":
      return guide.repeat({ field: action.field, target: action.target });
    default:
      return consoleSentence(texts, action);
  }
}

/** The label of the field of this service that takes a copied value. */
function targetName({ ssoConnections, clients, connect, saml }: Texts, target: CopyTarget): string {
  const { claims, clientSecret } = ssoConnections;
  const names: Readonly<Record<CopyTarget, string>> = {
    issuer: connect.issuer,
    client_id: clients.clientId,
    client_secret: clientSecret,
    email_from: claims.email_from,
    subject_from: claims.subject_from,
    metadata_url: saml.metadataUrl,
    metadata_xml: saml.metadataXml,
  };
  return names[target];
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
