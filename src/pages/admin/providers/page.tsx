import type { Deps } from "../../../deps.ts";
import { type Integrations, listIntegrations, nameOfProvider } from "../../../flows/integrations/administer.ts";
import type { ProviderView } from "../../../models/provider-config/provider-config.ts";
import { Icon } from "../../components/icon.tsx";
import { Row, Rows, Tag, Time } from "../../components/lists.tsx";
import { ProviderMark } from "../../components/provider-mark.tsx";
import type { Page } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const PROVIDERS = "/admin/providers";

function ProvidersBody({ found, acts }: { readonly found: Integrations; readonly acts: boolean }) {
  const { t } = useView();
  return (
    <>
      <header class="head">
        <h1>{t.providers.title}</h1>
        <p class="soft">{t.providers.lead}</p>
      </header>
      {!found.secretsEnabled && <p class="note">{t.providers.noKey}</p>}
      <Rows>
        {found.providers.map((view) => (
          <ProviderRow key={view.provider} provider={view} acts={acts} />
        ))}
      </Rows>
    </>
  );
}

function ProviderRow({ provider, acts }: { readonly provider: ProviderView; readonly acts: boolean }) {
  const { t } = useView();
  const name = nameOfProvider(provider.provider);
  const action = acts ? t.providers.configure : t.console.open;
  return (
    <Row
      tile={
        <span class="tile" aria-hidden="true">
          {provider.provider === "email_transport" ? (
            <Icon name="mail" />
          ) : (
            <ProviderMark provider={provider.provider} />
          )}
        </span>
      }
      title={
        <>
          {name} <ProviderTags provider={provider} />
        </>
      }
      details={<ProviderDetails provider={provider} />}
    >
      <a class="button" href={`${PROVIDERS}/${provider.provider}`} aria-label={`${action}: ${name}`}>
        {action}
      </a>
    </Row>
  );
}

export function ProviderTags({ provider }: { readonly provider: ProviderView }) {
  const { t } = useView();
  if (provider.degraded) return <Tag kind="bad">{t.providers.degraded}</Tag>;
  return provider.enabled ? <Tag kind="good">{t.providers.on}</Tag> : <Tag kind="plain">{t.providers.off}</Tag>;
}

function ProviderDetails({ provider }: { readonly provider: ProviderView }) {
  const { t } = useView();
  const { updatedAt, secretSet, degraded } = provider;
  if (degraded) return <>{t.providers.degradedDetails}</>;
  if (updatedAt === null) return <>{t.providers.unset}</>;
  return (
    <>
      {secretSet ? t.providers.secretStored : t.providers.noSecret} · {t.providers.changed} <Time at={updatedAt} />
    </>
  );
}

/** `/admin/providers`: every external service; degraded services are marked. */
export function providersPage(deps: SignedInUserDeps & Pick<Deps, "configKeys">): Page {
  return consolePage(deps, {
    path: PROVIDERS,
    async get(call: ConsoleCall) {
      const { admin, view } = call;
      const found = await listIntegrations(deps, admin);
      if (!found.ok) return found.error;
      const body = <ProvidersBody found={found.value} acts={mayAct(admin)} />;
      return showConsole(call, { at: PROVIDERS, title: view.t.providers.title, body });
    },
  });
}
