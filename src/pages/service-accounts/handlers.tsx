import type { VNode } from "preact";
import type { Refusal } from "../../base/problem.ts";
import { authorizeServiceAccountReader } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { Reply } from "../../http/reply.ts";
import type { Island } from "../assets.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { DisplayedParts } from "../html.tsx";
import { type AuthenticatedCall, seeResult } from "../page.ts";
import { type ProblemMessages, refusedParts } from "../problem-messages.ts";
import type { SignedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import {
  changeServiceAccounts,
  problemMessages,
  resultOf,
  type ServiceAccountActionDeps,
  serviceAccountFormProblem,
} from "./actions.ts";
import { collectionScope, partPath, permissionOfPart, type ServiceAccountScope, webhooksPath } from "./place.ts";
import { OneTimeSecretView, ServiceAccountsView } from "./view.tsx";
import { type DisplayedPart, displayedPart } from "./view-model.ts";

interface FramedPart extends DisplayedParts {
  readonly title: string;
  readonly body: VNode;
  readonly done?: string | undefined;
  readonly islands: readonly Island[];
  /** True: the page is below the list, not the list itself. */
  readonly inside?: boolean;
}

/** The differences between the page of an organization and the page of the platform. */
interface ServiceAccountFrame<Call extends AuthenticatedCall> {
  readonly basePath: ServiceAccountScope;
  /** Null: the platform. */
  readonly organizationId: (call: Call) => string | null;
  readonly canEdit: (call: Call) => boolean;
  readonly user: (call: Call) => Promise<SignedInUser>;
  readonly show: (call: Call, user: SignedInUser, part: FramedPart) => Reply;
  readonly refuse: (call: Call, user: SignedInUser, refusal: Refusal, messages: ProblemMessages) => Reply;
  /** The page for a caller without permission to read service accounts. Default: the list page without lists. */
  readonly refuseReader?: (call: Call, refusal: Refusal) => Reply;
}

/** The GET and POST handlers of a page of service accounts and webhooks. */
export function serviceAccountHandlers<Call extends AuthenticatedCall>(
  deps: ServiceAccountActionDeps,
  frame: ServiceAccountFrame<Call>,
) {
  const { basePath } = frame;
  const show = async (call: Call, state: FormState, refused?: Refusal) => {
    const form = refused ? call.form : undefined;
    const scope = collectionScope(frame.organizationId(call), permissionOfPart(call.query, form));
    const [user, reader] = await Promise.all([
      frame.user(call),
      authorizeServiceAccountReader(deps, call.caller.session, scope),
    ]);
    if (!reader.ok && frame.refuseReader) return frame.refuseReader(call, reader.error);
    const canEdit = frame.canEdit(call);
    const input = { session: call.caller.session, canEdit, query: call.query, form };
    const viewModel = reader.ok
      ? { basePath, canEdit, part: await displayedPart(deps, { ...input, caller: reader.value }) }
      : undefined;
    const body = <ServiceAccountsView viewModel={viewModel} state={state} needsStepUp={asksStepUp(refused)} />;
    return frame.show(call, user, {
      title: titleOf(user.view, viewModel?.part),
      body,
      done: resultOf(user.view, call.result),
      inside: viewModel !== undefined && viewModel.part.kind !== "accounts",
      islands: ["confirm"],
      ...(refused ? refusedParts(refused) : {}),
    });
  };
  return {
    get: (call: Call) => show(call, {}),
    async post(call: Call) {
      const outcome = await changeServiceAccounts(deps, call, frame.organizationId(call));
      const user = await frame.user(call);
      if (!outcome.ok) {
        const state = serviceAccountFormProblem(user, call, outcome.error);
        if (state) return await show(call, state, outcome.error);
        return frame.refuse(call, user, outcome.error, problemMessages(user.view, call));
      }
      if ("done" in outcome.value) {
        return seeResult(partPath(basePath, call.query), outcome.value.done);
      }
      const { title: name, secret } = outcome.value;
      const title = user.view.t.serviceAccounts[name];
      const next = name === "keyTitle" ? basePath : webhooksPath(basePath);
      const body = <OneTimeSecretView title={title} secret={secret} next={next} />;
      return frame.show(call, user, { title, body, inside: true, islands: ["recovery-codes"] });
    },
  };
}

function titleOf({ t: { serviceAccounts: t } }: View, part: DisplayedPart | undefined): string {
  switch (part?.kind) {
    case "new-account":
      return t.newAccount;
    case "new-key":
      return t.newKeyFor(part.account.name);
    case "webhook-form":
      return part.webhook ? t.editWebhook : t.newWebhook;
    case "webhooks":
      return t.webhooks;
    case "deliveries":
      return t.deliveriesTo(part.webhook.url);
    default:
      return t.title;
  }
}
