import type { Deps } from "../../../deps.ts";
import { admitFetch, boundsOfUnknown } from "../documents/admit-fetch.ts";
import { type StoreLogoDeps, storeLogo } from "../documents/store-logo.ts";

export type RegisteredLogoDeps = StoreLogoDeps & Pick<Deps, "state">;

export interface RegisteredLogo {
  readonly clientId: string;
  /** The address that the client names; null: the client has no logo. */
  readonly logoUri: string | null;
  /** The address at this service of the stored logo. */
  readonly current: string | null;
  readonly network: string;
}

/**
 * Fetches and stores the logo of a client that registered itself, by the rules and limits of metadata documents: no
 * page of this service loads a picture from the host of a stranger. A client may repeat the address of the stored logo.
 */
export async function storeRegisteredLogo(
  deps: RegisteredLogoDeps,
  { clientId, logoUri, current, network }: RegisteredLogo,
): Promise<string | null> {
  if (logoUri === null || logoUri === current) return logoUri;
  const admit = () => admitFetch(deps, boundsOfUnknown(new URL(logoUri), network));
  return await storeLogo(deps, clientId, { url: logoUri, network, admit });
}
