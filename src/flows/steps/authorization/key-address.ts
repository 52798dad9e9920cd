import { isInNetworks } from "../../../base/ip-ranges.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";

/** Whether a credential of a program is accepted from an address. The ranges were validated at the creation. */
export function isPermittedAddress({ allowedIps }: Pick<KeyView, "allowedIps">, address: string | null): boolean {
  return allowedIps.length === 0 || isInNetworks(allowedIps, address);
}
