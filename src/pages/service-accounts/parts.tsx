/** What the parts of the page of service accounts and webhooks share. */
import type { ComponentChildren } from "preact";
import { CreateLink, type CreateLinkProps } from "../components/create-link.tsx";
import { EmptyBox } from "../components/lists.tsx";
import { Tabs } from "../components/tabs.tsx";
import { useView } from "../view.tsx";
import { formPath, webhooksPath } from "./place.ts";
import type { ServiceAccountViewModel } from "./view-model.ts";

export type Scope = Pick<ServiceAccountViewModel, "basePath" | "canEdit">;

export interface PartProps {
  readonly scope: Scope;
}

interface HeadProps extends PartProps {
  readonly title: string;
  readonly lead: string;
  /** The primary action of the part. */
  readonly action: Pick<CreateLinkProps, "href" | "text"> | undefined;
  readonly isWebhooks: boolean;
}

/** The title, the primary action and the tabs. */
export function PartHead({ scope, title, lead, action, isWebhooks }: HeadProps) {
  const { t } = useView();
  return (
    <>
      <div class="head">
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {scope.canEdit && action && <CreateLink {...action} inDialog />}
      </div>
      <Tabs
        label={t.serviceAccounts.developers}
        tabs={[
          { href: scope.basePath, text: t.serviceAccounts.title, isCurrent: !isWebhooks },
          { href: webhooksPath(scope.basePath), text: t.serviceAccounts.webhooks, isCurrent: isWebhooks },
        ]}
      />
    </>
  );
}

interface EmptyProps extends PartProps {
  readonly text: string;
  readonly step: string;
  readonly icon: "key" | "webhook";
  readonly action: string;
}

/** First use: the cause and the next step, and the button of the next step. */
export function EmptyPart({ scope, text, step, icon, action }: EmptyProps) {
  return (
    <EmptyBox icon={icon} text={text}>
      {scope.canEdit && (
        <a class="button" href={formPath(scope.basePath, step)} data-confirm="yes">
          {action}
        </a>
      )}
    </EmptyBox>
  );
}

/** A titled block of a delivery. */
export function Block({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="stack near">
      <h3 class="soft">{title}</h3>
      {children}
    </div>
  );
}
