import type { Deps } from "../../../deps.ts";
import { type Integrations, listIntegrations, nameOfProvider } from "../../../flows/integrations/administer.ts";
import { listAllSocialProviders, type SocialProviderView } from "../../../flows/social-providers/administer.ts";
import type { ProviderView } from "../../../models/provider-config/provider-config.ts";
import { Icon } from "../../components/icon.tsx";
import { Row, Rows, Tag, Time } from "../../components/lists.tsx";
import { ProviderMark } from "../../components/provider-mark.tsx";
import type { Page } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const PROVIDERS = "/admin/providers";

interface ProvidersProps {
  readonly found: Integrations;
  readonly social: readonly SocialProviderView[];
  readonly acts: boolean;
}

function ProvidersBody({ found, social, acts }: ProvidersProps) {
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
        {social.map((view) => (
          <SocialRow key={view.provider} provider={view} />
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

/** A provider by configuration, which the API administers. */
function SocialRow({ provider }: { readonly provider: SocialProviderView }) {
  const { config, degraded, secretSet, updatedAt } = provider;
  const status = { enabled: config.enabled, degraded, secretSet, updatedAt };
  return (
    <Row
      tile={
        <span class="tile" aria-hidden="true">
          {config.name.slice(0, 1)}
        </span>
      }
      title={
        <>
          {config.name} <ProviderTags provider={status} />
        </>
      }
      details={<ProviderDetails provider={status} />}
    />
  );
}

type ProviderStatus = Pick<ProviderView, "degraded" | "enabled" | "secretSet" | "updatedAt">;

export function ProviderTags({ provider }: { readonly provider: ProviderStatus }) {
  const { t } = useView();
  if (provider.degraded) return <Tag kind="bad">{t.providers.degraded}</Tag>;
  return provider.enabled ? <Tag kind="good">{t.providers.on}</Tag> : <Tag kind="plain">{t.providers.off}</Tag>;
}

function ProviderDetails({ provider }: { readonly provider: ProviderStatus }) {
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
      const social = await listAllSocialProviders(deps, admin);
      const body = <ProvidersBody found={found.value} social={social} acts={mayAct(admin)} />;
      return showConsole(call, { at: PROVIDERS, title: view.t.providers.title, body });
    },
  });
}
