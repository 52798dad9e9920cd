/** Objects of the platform that need an administrator. */
import type { ComponentChildren } from "preact";
import { nameOfProvider } from "../../../flows/integrations/administer.ts";
import type { PlatformFigures } from "../../../flows/platform/overview.ts";
import type { ProviderView } from "../../../models/provider-config/provider-config.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { useView } from "../../view.tsx";
import { organizationPath } from "../organizations/sections.tsx";

interface AttentionProps extends Pick<PlatformFigures, "expiringKeys" | "failingWebhooks"> {
  readonly degraded: readonly ProviderView[];
}

export function Attention({ degraded, expiringKeys, failingWebhooks }: AttentionProps) {
  const { t } = useView();
  const isCalm = degraded.length + expiringKeys.total + failingWebhooks.total === 0;
  return (
    <section class="box" id="attention" aria-labelledby="attention-title">
      <header>
        <h2 id="attention-title">{t.overview.attention}</h2>
      </header>
      <ul class="rows">
        {degraded.map(({ provider }) => (
          <DegradedProvider key={provider} provider={provider} />
        ))}
        {failingWebhooks.items.map(({ id, url, organizationId, organizationName, failingSince }) => (
          <Item
            key={id}
            icon="webhook"
            title={t.firstRun.webhookFails({ host: new URL(url).host })}
            details={<Since name={organizationName ?? t.console.title} at={failingSince} />}
            href={placeOf(organizationId)}
          />
        ))}
        {expiringKeys.items.map(({ id, name, organizationId, organizationName, expiresAt }) => (
          <Item
            key={id}
            icon="key"
            title={t.firstRun.keyEnds({ name })}
            details={<Since name={organizationName ?? t.console.title} at={expiresAt} />}
            href={placeOf(organizationId)}
          />
        ))}
        {isCalm && <li class="soft">{t.overview.calm}</li>}
      </ul>
    </section>
  );
}

function DegradedProvider({ provider }: Pick<ProviderView, "provider">) {
  const { t } = useView();
  const title = (
    <>
      {nameOfProvider(provider)} <Tag kind="bad">{t.providers.degraded}</Tag>
    </>
  );
  const href = `/admin/providers/${provider}`;
  return <Item icon="plug" title={title} details={t.providers.degradedDetails} href={href} />;
}

/** Keys and webhooks of the platform have a page; those of an organization belong to its owners. */
function placeOf(organizationId: string | null): string {
  return organizationId === null ? "/admin/machines" : organizationPath(organizationId);
}

interface ItemProps {
  readonly icon: IconName;
  readonly title: ComponentChildren;
  readonly details: ComponentChildren;
  readonly href: string;
}

function Item({ icon, title, details, href }: ItemProps) {
  const { t } = useView();
  return (
    <li>
      <span class="tile warn" aria-hidden="true">
        <Icon name={icon} />
      </span>
      <span class="what">
        <strong>{title}</strong>
        <small>{details}</small>
      </span>
      <a class="button" href={href}>
        {t.console.open}
      </a>
    </li>
  );
}

function Since({ name, at }: { readonly name: string; readonly at: Date }) {
  return (
    <>
      {name} · <Time at={at} />
    </>
  );
}
