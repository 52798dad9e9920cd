/** The wire form of credentials, of the caller's own account and of a user for administrators. */
import type { LinkedIdentity } from "../models/identity/identity.ts";
import type { Passkey } from "../models/passkey/passkey.ts";
import { providerName } from "../models/provider-config/provider.ts";

/** docs/contract.md, section 4.6. */
export function passkeyBody(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
    transports: passkey.transports,
    device_type: passkey.deviceType,
    backed_up: passkey.backedUp,
    aaguid: passkey.aaguid,
  };
}

/** docs/contract.md, section 16.5. */
export function identityBody({ id, provider, configuredName, label, createdAt, lastUsedAt }: LinkedIdentity) {
  return {
    id,
    provider,
    provider_name: providerName(configuredName),
    label,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
  };
}
