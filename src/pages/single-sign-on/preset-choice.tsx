/** The choice of an identity provider for a new connection. */
import type { ConnectionSettings } from "../../flows/sso/connections/connection-change.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import { PRESET_KEYS, PRESETS } from "../../vocabulary/sso/preset.ts";
import type { SsoProtocol } from "../../vocabulary/sso/protocol-config.ts";
import { SSO_PROTOCOLS } from "../../vocabulary/sso/protocol-config.ts";
import { Choice } from "../components/choice.tsx";
import { Form } from "../components/form.tsx";
import { type Fields, memberIn } from "../page.ts";
import { useView } from "../view.tsx";
import { GUIDES } from "./guides.ts";
import { providerName } from "./parts.tsx";
import { PresetMark } from "./preset-mark.tsx";

/** Names of the protocols, equal in every language. */
export const PROTOCOL_NAMES: Readonly<Record<SsoProtocol, string>> = { oidc: "OpenID Connect", saml: "SAML 2.0" };

/** The choice that leaves the protocol to the identity provider (`PRESETS`). */
const RECOMMENDED = "recommended";

interface ChosenDraft {
  readonly protocol: SsoProtocol;
  readonly preset: Preset;
  readonly settings: ConnectionSettings & { readonly name: string };
}

/** The draft of the pressed button; undefined for an unknown preset. */
export function draftIn(form: Fields): ChosenDraft | undefined {
  const preset = PRESET_KEYS.find((each) => each === form.text("preset"));
  if (!preset) return undefined;
  const chosen = form.text("protocol");
  const protocol = chosen === RECOMMENDED ? PRESETS[preset].recommended : (memberIn(SSO_PROTOCOLS, chosen) ?? "oidc");
  const name = preset === "custom" ? PROTOCOL_NAMES[protocol] : PRESETS[preset].name;
  return { protocol, preset, settings: { name, config: initialConfig(protocol, preset) } };
}

/** An identity provider with one issuer for all customers needs no issuer from the administrator. */
function initialConfig(protocol: SsoProtocol, preset: Preset): { readonly issuer?: string } {
  const { issuer } = GUIDES[preset];
  return issuer === undefined || protocol === "saml" ? {} : { issuer };
}

interface PresetChoiceProps {
  readonly action: string;
  /** The connection that the choice replaces. */
  readonly chosen?: Pick<SsoConnection, "id" | "preset">;
}

/** The field with the id of the draft that a choice replaces. */
export const REPLACED = "replaces";

/** The buttons of all identity providers, below the choice of the protocol. */
export function PresetChoice({ action, chosen }: PresetChoiceProps) {
  const { t } = useView();
  return (
    <Form action={action} class="presets">
      {chosen && <input type="hidden" name={REPLACED} value={chosen.id} />}
      <Choice
        name="protocol"
        label={t.saml.protocol}
        options={{ [RECOMMENDED]: t.saml.recommended, ...PROTOCOL_NAMES }}
        state={{}}
      />
      {PRESET_KEYS.map((preset) => (
        <button
          key={preset}
          type="submit"
          name="preset"
          value={preset}
          aria-current={chosen?.preset === preset ? "true" : undefined}
        >
          <PresetMark preset={preset} />
          <strong>{providerName(t, preset)}</strong>
        </button>
      ))}
    </Form>
  );
}
