/** `/admin/blocked-hosts`: hosts whose metadata documents identify no client (docs/contract.md, section 23.30). */
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import {
  type BlockHostsDeps,
  blockHost,
  listBlocked,
  unblockHost,
} from "../../../flows/oauth-documents/block-hosts.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { Reply } from "../../../http/reply.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { BLOCKED_HOSTS, BlockedHostsBody } from "./blocked-hosts-view.tsx";
import { CLIENTS } from "./page.tsx";

type PageDeps = BlockHostsDeps & SignedInUserDeps;

function blockedHostsSpec(deps: PageDeps) {
  const show = async (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { title, added, removed } = call.view.t.blockedHosts;
    const hosts = await listBlocked(deps, call.admin);
    const needsStepUp = parts.refused?.code === "mfa_required";
    const body = <BlockedHostsBody hosts={hosts} acts={mayAct(call.admin)} state={state} needsStepUp={needsStepUp} />;
    const done = call.result === "added" ? added : call.result === "removed" ? removed : undefined;
    return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["confirm"], ...parts });
  };
  return {
    path: BLOCKED_HOSTS,
    get: (call: ConsoleCall) => show(call, { values: { host: call.query.text("host") } }),
    async post(call: ConsoleCall) {
      const authorized = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const outcome = authorized.ok ? await act(deps, call, authorized.value) : authorized;
      if (outcome.ok) return outcome.value;
      const { error } = outcome;
      const isForm = call.form.text("step") === "block";
      if (!isForm || (error.code === "forbidden" && !asksStepUp(error)))
        return refuseConsole(call, error, BLOCKED_HOSTS);
      const values = { host: call.form.text("host") };
      const { full } = call.view.t.blockedHosts;
      const state = asksStepUp(error) ? { values } : refusedForm(call.view, error, values, { conflict: full });
      return await show(call, state, refusedParts(error));
    },
  };
}

export function blockedHostsPage(deps: PageDeps): Page {
  return consolePage(deps, blockedHostsSpec(deps));
}

async function act(deps: PageDeps, call: ConsoleCall, caller: PlatformCaller): Promise<Result<Reply, Refusal>> {
  const { form, client } = call;
  switch (form.text("step")) {
    case "block": {
      const blocked = await blockHost(deps, { caller, client, host: form.text("host") });
      return blocked.ok ? ok(seeResult(BLOCKED_HOSTS, "added")) : blocked;
    }
    case "unblock": {
      const unblocked = await unblockHost(deps, { caller, client, host: form.text("id") });
      return unblocked.ok ? ok(seeResult(BLOCKED_HOSTS, "removed")) : unblocked;
    }
    default:
      return err(NOTHING_THERE);
  }
}

/** `/admin/blocked-hosts/confirm`: asks before the documents of a host are permitted again. */
export function confirmBlockedHostsPage(deps: PageDeps): Page {
  return consolePage(deps, {
    path: `${BLOCKED_HOSTS}/confirm`,
    async get(call) {
      const { removeTitle, removeText, remove } = call.view.t.blockedHosts;
      const id = call.query.text("id");
      const hosts = await listBlocked(deps, call.admin);
      if (!hosts.some(({ host }) => host === id)) return refuseConsole(call, NOTHING_THERE, BLOCKED_HOSTS);
      const question = { title: removeTitle({ host: id }), text: removeText, action: remove };
      return confirmationPage(call, { at: CLIENTS, place: BLOCKED_HOSTS, step: "unblock", id, ...question });
    },
  });
}
