/** `/admin/oauth-clients/:id/connect`: what the configuration of an application needs, without the secret. */
import { describeAuthorizationServer } from "../../../flows/discovery/describe-issuer.ts";
import { type AdministerClientsDeps, readClient } from "../../../flows/oauth/clients/administer-clients.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import { PRODUCT_PRESETS } from "../../../flows/oauth/presets/product-presets.ts";
import { clientSetup } from "../../../flows/oauth/presets/setup.ts";
import type { Reply } from "../../../http/reply.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { applicationName } from "../../components/application.tsx";
import type { Page } from "../../page.ts";
import { productName } from "../../shared/product-name.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { ConnectBody } from "./connect-view.tsx";
import { CLIENTS } from "./paths.ts";

const ENDPOINT = /_endpoint$|^jwks_uri$/;

interface Displayed {
  readonly secret?: string;
  readonly done?: string | undefined;
}

/** `secret`: a new secret, which no later page displays. */
export function showConnect(call: ConsoleCall, client: OAuthClient, { secret, done }: Displayed = {}): Reply {
  const { t, site } = call.view;
  const { issuer, ...members } = describeAuthorizationServer(site);
  const endpoints = Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      ENDPOINT.test(name) && typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const setup = clientSetup(site, client);
  const product = PRODUCT_PRESETS.find(({ preset }) => preset === client.preset);
  const configured = setup && product && { text: setup.text, product: productName(call.view, product) };
  const body = (
    <ConnectBody client={client} issuer={issuer} endpoints={endpoints} secret={secret} configured={configured} />
  );
  const title = t.connect.title({ name: applicationName(call.view, identityOf(client)) });
  return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["copy", "recovery-codes"] });
}

export function connectClientPage(deps: AdministerClientsDeps & SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/oauth-clients/:id/connect",
    async get(call) {
      const found = await readClient(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, CLIENTS);
      const done = call.result === "created" ? call.view.t.clients.created : undefined;
      return showConnect(call, found.value, { done });
    },
  });
}
