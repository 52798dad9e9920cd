import type { ConnectionUrls } from "../../flows/sso-connections/urls.ts";
import type { Preset } from "../../models/sso-connection/preset.ts";
import { CopyRow } from "../components/copy.tsx";
import { Rows } from "../components/lists.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { type CopyTarget, GUIDES, type GuideAction } from "./guides.ts";

interface GuideProps {
  readonly preset: Preset;
  readonly urls: ConnectionUrls;
}

/** The instructions of a preset, with a copy button beside every address. */
export function GuideSteps({ preset, urls }: GuideProps) {
  const { t } = useView();
  return (
    <ol class="guide">
      {GUIDES[preset].actions.map((action, index) => (
        <li key={sentenceOf(t, action)}>
          {sentenceOf(t, action)}
          {action.kind === "enter" && (
            <Rows>
              <CopyRow id={`guide-${index}`} label={action.field} text={urls[action.address]} />
            </Rows>
          )}
        </li>
      ))}
    </ol>
  );
}

function sentenceOf({ ssoConnections, clients, connect }: Texts, action: GuideAction): string {
  const { guide, clientSecret } = ssoConnections;
  switch (action.kind) {
    case "open":
      return guide.open(action.path.join(" › "));
    case "select":
      return guide.select(action.field, action.value);
    case "choose":
      return guide.choose(action.value);
    case "enter":
      return guide.enter(action.field);
    case "copy": {
      const names: Readonly<Record<CopyTarget, string>> = {
        issuer: connect.issuer,
        client_id: clients.clientId,
        client_secret: clientSecret,
      };
      return guide.copy(action.field, names[action.target]);
    }
    case "repeat":
      return guide.repeat(action.field, action.target);
  }
}

/** The names of the protocol for the addresses of a connection. */
const ADDRESS_NAMES: Readonly<Record<keyof ConnectionUrls, string>> = {
  redirectUri: "redirect_uri",
  initiateLoginUri: "initiate_login_uri",
  jwksUri: "jwks_uri",
  backchannelLogoutUri: "backchannel_logout_uri",
};
const ADDRESS_KEYS = Object.keys(ADDRESS_NAMES) as readonly (keyof ConnectionUrls)[];

export function AddressRows({ urls }: Pick<GuideProps, "urls">) {
  return (
    <Rows>
      {ADDRESS_KEYS.map((key) => (
        <CopyRow key={key} id={`address-${ADDRESS_NAMES[key]}`} label={ADDRESS_NAMES[key]} text={urls[key]} />
      ))}
    </Rows>
  );
}
