/** Logout messages by the second implementation: a message counts only if both implementations accept the message. */
import type { SAML, SamlConfig } from "@node-saml/node-saml";
import type { SamlLogoutRequestJob, SamlLogoutResponseJob } from "../../src/pool/saml-protocol.ts";
import { formText } from "./form-value.ts";
import type { StrictLogout } from "./logout-message.ts";
import { NO_CACHE, SecondImplementation, textOf } from "./second-implementation.ts";

/** Whether the second implementation accepts the request and reads the same name and session index. */
export async function agreesOnLogout(job: SamlLogoutRequestJob, strict: StrictLogout): Promise<boolean> {
  const { logout, decryptionKey } = strict;
  try {
    const implementation = implementationOf(job, decryptionKey);
    const { profile } = await validate(implementation, job, "SAMLRequest");
    return (
      profile?.issuer?.trim() === job.trust.entityId &&
      profile.ID === logout.id &&
      textOf(profile.nameID).trim() === logout.nameId &&
      (profile.nameIDFormat ?? null) === logout.nameIdFormat &&
      textOf(profile.sessionIndex) === textOf(logout.sessionIndexes[0])
    );
  } catch {
    return false;
  }
}

/** Whether the second implementation accepts the response. */
export async function agreesOnLogoutResponse(job: SamlLogoutResponseJob): Promise<boolean> {
  try {
    return (await validate(implementationOf(job, undefined), job, "SAMLResponse")).loggedOut;
  } catch {
    return false;
  }
}

type LogoutJob = SamlLogoutRequestJob | SamlLogoutResponseJob;

async function validate(implementation: SAML, { received }: LogoutJob, key: "SAMLRequest" | "SAMLResponse") {
  if (received.binding === "redirect") {
    const query = signedParameters(received.query, key);
    const container = Object.fromEntries(new URLSearchParams(query));
    return await implementation.validateRedirectAsync(container, query);
  }
  const container = { [key]: formText(received.message) };
  return key === "SAMLRequest"
    ? await implementation.validatePostRequestAsync(container)
    : await implementation.validatePostResponseAsync(container);
}

/**
 * The parameters that the strict profile reads, in the order of the specification. The library searches the query by
 * the text of names, so a browser that adds a parameter would change the verdict.
 */
function signedParameters(query: string, key: string): string {
  const pairs = query.split("&");
  const known = [key, "RelayState", "SigAlg", "Signature"];
  return known.flatMap((name) => pairs.filter((pair) => pair.split("=", 1)[0] === name)).join("&");
}

function implementationOf({ trust, now }: LogoutJob, decryptionKey: string | undefined): SAML {
  const config: SamlConfig = {
    callbackUrl: trust.sloUrl,
    issuer: trust.sloUrl,
    idpIssuer: trust.entityId,
    idpCert: [...trust.certificates],
    acceptedClockSkewMs: trust.clockSkewSeconds * 1000,
    cacheProvider: NO_CACHE,
    ...(decryptionKey === undefined ? {} : { decryptionPvk: decryptionKey }),
  };
  return new SecondImplementation(config, now);
}
