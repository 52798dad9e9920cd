import { err, ok, type Result } from "../../../base/result.ts";
import { authnRequest, requestIdOf } from "../../../providers/saml/authn-request.ts";
import { type CarriedMessage, carryMessage } from "../../../providers/saml/signed-message.ts";
import { connectionUrls } from "../connections/urls.ts";
import type { SamlConnection, SsoDeps } from "./connection.ts";
import { currentKey, signerOf } from "./saml-party.ts";

/**
 * The authentication request of SAML 2.0 (docs/contract.md, section 29.34). `handle` is the `RelayState`. The error is
 * the cause for the log.
 */
export async function samlRequest(
  deps: SsoDeps,
  connection: SamlConnection,
  handle: string,
  { forceAuthn }: { readonly forceAuthn: boolean },
): Promise<Result<CarriedMessage, string>> {
  const { config } = connection;
  const signer = config.sign_requests ? signerOf(deps, currentKey(connection)) : undefined;
  if (config.sign_requests && !signer) return err("the connection has no readable key");
  const { acsUrl, spEntityId } = connectionUrls(deps, connection.id);
  const request = authnRequest({
    id: requestIdOf(handle),
    issuedAt: deps.clock.now(),
    spEntityId,
    ssoUrl: config.sso_url,
    acsUrl,
    nameIdFormat: config.name_id_format,
    forceAuthn,
    // Only for a step-up: Entra ID refuses an exact class where the user has another class already (AADSTS75011).
    authnContexts: forceAuthn ? requestedContexts(config) : [],
  });
  return ok(await carryMessage(request, config.request_binding, handle, signer));
}

const CLASS_OF_SAML = /^urn:oasis:names:tc:SAML:/;

/** The trusted classes of SAML: the further trusted values are values of an attribute. */
function requestedContexts({ mfa_trust: trusted }: SamlConnection["config"]): readonly string[] {
  return trusted === "never" ? [] : trusted.filter((value) => CLASS_OF_SAML.test(value));
}
