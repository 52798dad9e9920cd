import type { Refusal } from "../../base/problem.ts";
import { SSO_PROTOCOLS } from "../../flows/sso-connections/connection-change.ts";
import { createConnection, PRESET_KEYS, PRESETS, type SsoSettingsDeps } from "../../flows/sso-connections/create.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import type { Preset } from "../../models/sso-connection/preset.ts";
import type { SsoProtocol } from "../../models/sso-connection/protocol-config.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { Choice } from "../components/choice.tsx";
import { Form } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  memberIn,
  NOTHING_THERE,
  type Page,
  seeOther,
  seeResult,
} from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { GUIDES } from "./guides.ts";
import { providerName, ssoMessages } from "./parts.tsx";
import { connectionPath, NEW_CONNECTION, SSO } from "./paths.ts";
import { PresetMark } from "./preset-mark.tsx";

const PROTOCOL_NAMES: Readonly<Record<SsoProtocol, string>> = { oidc: "OpenID Connect", saml: "SAML 2.0" };

/** `/team/single-sign-on/new`: creates a draft for an identity provider. The page of the draft has the instructions. */
export function newConnectionPage(deps: SsoSettingsDeps & SignedInUserDeps): Page {
  const authorize = ({ caller: { session } }: AuthenticatedCall) =>
    authorizeSsoManager(deps, session, session.organizationId);
  const refuse = async (call: AuthenticatedCall, refused: Refusal) => {
    if (refused.code === "mfa_required") return seeOther(stepUpPath(NEW_CONNECTION));
    const { view } = await signedInUser(deps, call);
    return refusedPage(view, refused, { ...ssoMessages(view), conflict: view.t.ssoConnections.full });
  };
  return authenticatedPage({
    path: NEW_CONNECTION,
    ofOrganization: true,
    async get(call) {
      const authorized = await authorize(call);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const { profile, view } = await signedInUser(deps, call);
      return showPage(view, { title: view.t.ssoConnections.create, body: <NewConnectionBody profile={profile} /> });
    },
    async post(call) {
      const authorized = await authorize(call);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const preset = PRESET_KEYS.find((each) => each === call.form.text("preset"));
      if (!preset) return await refuse(call, NOTHING_THERE);
      const protocol = memberIn(SSO_PROTOCOLS, call.form.text("protocol")) ?? "oidc";
      const name = preset === "custom" ? PROTOCOL_NAMES[protocol] : PRESETS[preset].name;
      const settings = { name, config: initialConfig(protocol, preset) };
      const input = { caller: authorized.value, client: call.client, protocol, preset, settings };
      const created = await createConnection(deps, input);
      if (!created.ok) return await refuse(call, created.error);
      return seeResult(connectionPath(created.value.connection.id), "created");
    },
  });
}

/** An identity provider with one issuer for all customers needs no issuer from the administrator. */
function initialConfig(protocol: SsoProtocol, preset: Preset): { readonly issuer?: string } {
  const { issuer } = GUIDES[preset];
  return issuer === undefined || protocol === "saml" ? {} : { issuer };
}

function NewConnectionBody({ profile }: { readonly profile: Profile }) {
  const { t } = useView();
  const { create, newLead } = t.ssoConnections;
  return (
    <Shell at={SSO} profile={profile} inside>
      <SubPageHead above={[{ href: SSO, text: t.singleSignOn.title }]} title={create} lead={newLead} />
      <Form action={NEW_CONNECTION} class="presets">
        <Choice name="protocol" label={t.saml.protocol} options={PROTOCOL_NAMES} state={{}} />
        {PRESET_KEYS.map((preset) => (
          <button key={preset} type="submit" name="preset" value={preset}>
            <PresetMark preset={preset} />
            <strong>{providerName(t, preset)}</strong>
          </button>
        ))}
      </Form>
    </Shell>
  );
}
