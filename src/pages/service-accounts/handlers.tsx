import type { VNode } from "preact";
import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import {
  authorizeServiceAccountReader,
  type ServiceAccountReader,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { Reply } from "../../http/reply.ts";
import type { Island } from "../assets.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { DisplayedParts } from "../html.tsx";
import { type AuthenticatedCall, pathWith, seeResult } from "../page.ts";
import { type ProblemMessages, refusedParts } from "../problem-messages.ts";
import type { SignedInUser } from "../signed-in-user.ts";
import {
  changeServiceAccounts,
  problemMessages,
  resultOf,
  type ServiceAccountActionDeps,
  serviceAccountFormProblem,
} from "./actions.ts";
import { OneTimeSecretView, ServiceAccountsView } from "./view.tsx";
import { type ServiceAccountScope, serviceAccountViewModel } from "./view-model.ts";

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
  const loadViewModel = async (call: Call, reader: Result<ServiceAccountReader, Refusal>) =>
    reader.ok
      ? await serviceAccountViewModel(deps, {
          basePath,
          caller: reader.value,
          canEdit: frame.canEdit(call),
          query: call.query,
        })
      : undefined;
  const show = async (call: Call, state: FormState, parts: DisplayedParts = {}) => {
    const [user, reader] = await Promise.all([
      frame.user(call),
      authorizeServiceAccountReader(deps, call.caller.session, frame.organizationId(call)),
    ]);
    if (!reader.ok && frame.refuseReader) return frame.refuseReader(call, reader.error);
    const viewModel = await loadViewModel(call, reader);
    const done = resultOf(user.view, call.result);
    const needsStepUp = asksStepUp(parts.refused);
    const body = <ServiceAccountsView viewModel={viewModel} state={state} needsStepUp={needsStepUp} />;
    return frame.show(call, user, {
      title: user.view.t.serviceAccounts.title,
      body,
      done,
      islands: ["confirm"],
      ...parts,
    });
  };
  return {
    get: (call: Call) => show(call, {}),
    async post(call: Call) {
      const outcome = await changeServiceAccounts(deps, call, frame.organizationId(call));
      const user = await frame.user(call);
      if (!outcome.ok) {
        const state = serviceAccountFormProblem(user, call, outcome.error);
        if (state) return await show(call, state, refusedParts(outcome.error));
        return frame.refuse(call, user, outcome.error, problemMessages(user.view, call));
      }
      if ("done" in outcome.value) {
        return seeResult(pathWith(basePath, { webhook: call.query.text("webhook") }), outcome.value.done);
      }
      const title = user.view.t.serviceAccounts[outcome.value.title];
      const body = <OneTimeSecretView basePath={basePath} title={title} secret={outcome.value.secret} />;
      return frame.show(call, user, { title, body, inside: true, islands: ["recovery-codes"] });
    },
  };
}
