/** `/admin/blocked-hosts`: hosts whose metadata documents identify no client (docs/contract.md, section 23.30). */
import { listBlocked } from "../../../flows/oauth/documents/block-hosts.ts";
import { resultText } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import type { Page } from "../../page.ts";
import { mayAct, showConsole } from "../console.tsx";
import { consoleActionPages, consoleFrame } from "../console-actions.tsx";
import { type BlockedHostsInput, blockedHostActions, unblock } from "./blocked-host-actions.ts";
import { BlockedHostsBody } from "./blocked-hosts-view.tsx";
import { BLOCKED_HOSTS, CLIENTS } from "./paths.ts";

export function blockedHostsPages(deps: BlockedHostsInput["deps"]): readonly Page[] {
  return consoleActionPages(deps, {
    path: BLOCKED_HOSTS,
    confirm: { path: "/admin/blocked-hosts/confirm" },
    frame: consoleFrame(CLIENTS),
    actions: blockedHostActions,
    place: () => BLOCKED_HOSTS,
    defaultQuestion: unblock.step,
    get: (input) => show(input, { values: { host: input.call.query.text("host") } }),
    show,
  });
}

async function show({ deps, call }: BlockedHostsInput, state: FormState, parts: DisplayedParts = {}) {
  const { title } = call.view.t.blockedHosts;
  const hosts = await listBlocked(deps, call.admin);
  const needsStepUp = asksStepUp(parts.refused);
  const body = <BlockedHostsBody hosts={hosts} acts={mayAct(call.admin)} state={state} needsStepUp={needsStepUp} />;
  const done = resultText(call.view, blockedHostActions, call.result);
  return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["confirm"], ...parts });
}
