/** `/admin/resources/:id/connect`: what a server needs to verify the access tokens of an API. */
import { describeAuthorizationServer } from "../../../flows/discovery/describe-issuer.ts";
import { PRODUCT_PRESETS } from "../../../flows/oauth/presets/product-presets.ts";
import { resourceSetup } from "../../../flows/oauth/presets/setup.ts";
import { type AdministerResourcesDeps, readResource } from "../../../flows/oauth/resources/administer-resources.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { CopyBlock, CopyResults, CopyRow } from "../../components/copy.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Rows, Section } from "../../components/lists.tsx";
import type { Page } from "../../page.ts";
import { productName } from "../../shared/product-name.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { consolePage, refuseConsole, showConsole } from "../console.tsx";
import { RESOURCES, resourcePath } from "./paths.ts";

/** The endpoints of the discovery document that a server with access tokens uses. */
const ENDPOINTS = ["jwks_uri", "introspection_endpoint"] as const;

function ConnectBody({ resource }: { readonly resource: OAuthResource }) {
  const view = useView();
  const { t, site } = view;
  const { connect, resources } = t;
  const server = describeAuthorizationServer(site);
  const setup = resourceSetup(site, resource);
  const product = PRODUCT_PRESETS.find(({ preset }) => preset === resource.preset);
  return (
    <>
      <SubPageHead
        above={[
          { href: RESOURCES, text: resources.title },
          { href: resourcePath(resource), text: resource.name },
        ]}
        title={connect.title({ name: resource.name })}
        lead={setup ? connect.setupLead : resources.connectLead}
      />
      {setup && product && (
        <Section title={connect.setup({ product: productName(view, product) })}>
          <CopyBlock id="setup" label={connect.setup({ product: productName(view, product) })} text={setup.text} />
        </Section>
      )}
      <Section title={connect.values}>
        <Rows>
          <CopyRow id="issuer" label={connect.issuer} text={server.issuer} />
          <CopyRow id="identifier" label={resources.identifier} text={resource.identifier} />
          {ENDPOINTS.map((name) => (
            <CopyRow key={name} id={name} label={name} text={server[name]} />
          ))}
        </Rows>
      </Section>
      <CopyResults />
      <p>
        <a class="button" href={resourcePath(resource)}>
          {connect.settings}
        </a>
      </p>
    </>
  );
}

export function connectResourcePage(deps: AdministerResourcesDeps & SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/resources/:id/connect",
    async get(call) {
      const found = await readResource(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, RESOURCES);
      const { connect, resources } = call.view.t;
      const done = call.result === "created" ? resources.products.created : undefined;
      const title = connect.title({ name: found.value.name });
      const body = <ConnectBody resource={found.value} />;
      return showConsole(call, { at: RESOURCES, inside: true, title, body, done, islands: ["copy", "recovery-codes"] });
    },
  });
}
