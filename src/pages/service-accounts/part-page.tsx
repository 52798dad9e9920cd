/** The page of service accounts and webhooks, of an organization and of the platform. */
import type { Refusal } from "../../base/problem.ts";
import { authorizeServiceAccountReader } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { Reply } from "../../http/reply.ts";
import { resultText } from "../action.ts";
import type { ActionFrame, ActionPage } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { DisplayedParts } from "../html.tsx";
import type { View } from "../view.tsx";
import type { ServiceAccountInput } from "./action-parts.ts";
import { serviceAccountActions } from "./actions.tsx";
import { collectionScope, partPath, permissionOfPart } from "./place.ts";
import { ServiceAccountsView } from "./view.tsx";
import { type DisplayedPart, displayedPart } from "./view-model.ts";

/** The page for a caller without permission to read service accounts. */
type RefuseReader = (refusal: Refusal) => Reply;

/** The actions of the page in its frame. */
export function partActions<In extends ServiceAccountInput>(frame: ActionFrame<In>): ActionPage<In, FormState> {
  return {
    frame,
    actions: serviceAccountActions,
    place: ({ basePath, call }) => partPath(basePath, call.query),
    show: (input, state, parts) => showPart(frame, input, { state, parts }),
  };
}

interface Displayed {
  readonly state?: FormState;
  readonly parts?: DisplayedParts;
  /** Default: the page without lists. */
  readonly refuseReader?: RefuseReader;
}

/** Displays the part of the page that the query or the refused form names. */
export async function showPart<In extends ServiceAccountInput>(
  frame: ActionFrame<In>,
  input: In,
  { state = {}, parts = {}, refuseReader }: Displayed = {},
): Promise<Reply> {
  const { basePath, call, canEdit, deps, organizationId } = input;
  const { session } = call.caller;
  const form = parts.refused ? call.form : undefined;
  const scope = collectionScope(organizationId, permissionOfPart(call.query, form));
  const [user, reader] = await Promise.all([
    frame.user(input),
    authorizeServiceAccountReader(deps, { session }, scope),
  ]);
  if (!reader.ok && refuseReader) return refuseReader(reader.error);
  const viewed = { session, canEdit, query: call.query, form };
  const viewModel = reader.ok
    ? { basePath, canEdit, part: await displayedPart(deps, { ...viewed, caller: reader.value }) }
    : undefined;
  const body = <ServiceAccountsView viewModel={viewModel} state={state} needsStepUp={asksStepUp(parts.refused)} />;
  return input.display(user, {
    title: titleOf(user.view, viewModel?.part),
    body,
    done: resultText(user.view, serviceAccountActions, call.result),
    inside: viewModel !== undefined && viewModel.part.kind !== "accounts",
    islands: ["confirm", "copy"],
    ...parts,
  });
}

function titleOf({ t: { serviceAccounts: t } }: View, part: DisplayedPart | undefined): string {
  switch (part?.kind) {
    case "new-account":
      return t.newAccount;
    case "new-key":
      return t.newKeyFor({ name: part.account.name });
    case "new-trust":
      return t.trusts.newFor({ name: part.account.name });
    case "trust":
      return part.trust.name;
    case "webhook-form":
      return part.webhook ? t.editWebhook : t.newWebhook;
    case "webhooks":
      return t.webhooks;
    case "deliveries":
      return t.deliveriesTo({ url: part.webhook.url });
    default:
      return t.title;
  }
}
