import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { listTrustedBrowsers, type TrustedBrowser } from "../../models/trusted-browser/trusted-browser.ts";
import { type Origin, withOrigin } from "../steps/sessions/describe-origin.ts";

export type BrowserOfCaller = TrustedBrowser & Origin & { readonly current: boolean };

/** GET /v1/auth/trusted-browsers (docs/contract.md, section 10.2). `current`: the browser that sent the request. */
export async function listOwnTrustedBrowsers(
  deps: Pick<Deps, "reads" | "clock" | "geolocation">,
  input: { readonly caller: SessionView; readonly trustToken: string | undefined; readonly page: Page },
): Promise<Listing<BrowserOfCaller>> {
  const { caller, page } = input;
  const at = new Date(deps.clock.now());
  const { items, total } = await deps.reads.run("trusted_browser.list", caller, (sql) =>
    listTrustedBrowsers(sql, caller.userId, at, pageBounds(page)),
  );
  const own = hashOpaqueToken(input.trustToken);
  return {
    ...page,
    total,
    items: items.map((browser) => ({
      ...withOrigin(deps, browser),
      current: own !== undefined && browser.tokenHash.equals(own),
    })),
  };
}
