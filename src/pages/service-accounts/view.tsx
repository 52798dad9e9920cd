/** Shared views of the pages of service accounts and webhooks: `/machines` and, in the console, `/admin/machines`. */
import type { FormState } from "../components/form.tsx";
import { Problem } from "../components/notices.tsx";
import { useView } from "../view.tsx";
import { AccountCards } from "./accounts.tsx";
import { createAccount, createHook } from "./actions.tsx";
import { Deliveries } from "./deliveries-view.tsx";
import { AccountForm, KeyForm } from "./forms.tsx";
import { PartHead } from "./parts.tsx";
import { formPath } from "./place.ts";
import { TrustForm } from "./trust-form.tsx";
import { TrustPage } from "./trust-view.tsx";
import type { DisplayedPart, ServiceAccountViewModel } from "./view-model.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookList } from "./webhooks.tsx";

export interface ServiceAccountProps {
  /** Undefined for a caller without permission to see the lists. */
  readonly viewModel: ServiceAccountViewModel | undefined;
  /** State of the refused form. */
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function ServiceAccountsView({ viewModel, state, needsStepUp }: ServiceAccountProps) {
  const { t } = useView();
  if (!viewModel) {
    return (
      <>
        <h1>{t.serviceAccounts.title}</h1>
        <Problem state={state} />
        <p class="soft">{t.serviceAccounts.notYours}</p>
      </>
    );
  }
  const { part, ...scope } = viewModel;
  switch (part.kind) {
    case "new-account":
      return <AccountForm scope={scope} state={state} />;
    case "new-key":
      return <KeyForm scope={scope} part={part} state={state} needsStepUp={needsStepUp} />;
    case "new-trust":
      return <TrustForm scope={scope} part={part} state={state} needsStepUp={needsStepUp} />;
    case "trust":
      return <TrustPage scope={scope} part={part} state={state} />;
    case "webhook-form":
      return <WebhookForm scope={scope} part={part} state={state} />;
    default:
      return <Lists viewModel={viewModel} part={part} state={state} />;
  }
}

interface ListsProps {
  readonly viewModel: ServiceAccountViewModel;
  readonly part: Extract<DisplayedPart, { kind: "accounts" | "webhooks" | "deliveries" }>;
  readonly state: FormState;
}

function Lists({ viewModel, part, state }: ListsProps) {
  const { t } = useView();
  const { title, webhooks, lead, platformLead, webhooksLead, platformWebhooksLead } = t.serviceAccounts;
  const { basePath } = viewModel;
  const isPlatform = basePath === "/admin/machines";
  if (part.kind === "accounts") {
    const action = { href: formPath(basePath, createAccount.step), text: t.serviceAccounts.newAccount };
    return (
      <>
        <PartHead
          scope={viewModel}
          title={title}
          lead={isPlatform ? platformLead : lead}
          action={action}
          isWebhooks={false}
        />
        <Problem state={state} />
        <AccountCards scope={viewModel} part={part} />
      </>
    );
  }
  const action = { href: formPath(basePath, createHook.step), text: t.serviceAccounts.newWebhook };
  return (
    <>
      <PartHead
        scope={viewModel}
        title={webhooks}
        lead={isPlatform ? platformWebhooksLead : webhooksLead}
        action={part.kind === "webhooks" ? action : undefined}
        isWebhooks
      />
      <Problem state={state} />
      {part.kind === "webhooks" ? (
        <WebhookList scope={viewModel} part={part} />
      ) : (
        <Deliveries scope={viewModel} part={part} />
      )}
    </>
  );
}
