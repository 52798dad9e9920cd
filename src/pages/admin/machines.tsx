import { authorizeMachineReader } from "../../flows/steps/authorize-machines.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { ShownParts } from "../html.tsx";
import { type ActDeps, actOnMachines, ownSentences, refusedMachineForm, resultOf } from "../machines-actions.ts";
import { MachinesBody, ShownOnceBody } from "../machines-body.tsx";
import { machineFacts } from "../machines-facts.ts";
import { NOTHING_THERE, type Page, pathWith, seeOther } from "../page.ts";
import type { PersonDeps } from "../person.ts";
import { askMachine } from "../questions.ts";
import { refusedParts } from "../sentences.ts";
import { askOnceMore, type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "./console.tsx";

const PLACE = "/admin/machines";

type PlatformMachineDeps = PersonDeps & ActDeps;

/** `/admin/machines`: service accounts with their keys, and webhooks, of the platform. */
export function platformMachinesPage(deps: PlatformMachineDeps): Page {
  const show = async (call: ConsoleCall, state: FormState, parts: ShownParts = {}) => {
    const { admin, query, view } = call;
    const reader = await authorizeMachineReader(deps, admin.session, null);
    if (!reader.ok) return refuseConsole(call, reader.error, PLACE);
    const facts = await machineFacts(deps, { place: PLACE, caller: reader.value, acts: mayAct(admin), query });
    const done = parts.refused === undefined ? resultOf(view, query.text("done")) : undefined;
    const again = asksStepUp(call, parts.refused);
    const body = <MachinesBody facts={facts} state={state} done={done} again={again} />;
    return showConsole(call, { at: PLACE, title: view.t.machines.title, body, islands: ["confirm"], ...parts });
  };
  return consolePage(deps, {
    path: "/admin/machines",
    get: (call) => show(call, {}),
    async post(call) {
      const { view } = call;
      const outcome = await actOnMachines(deps, call, null);
      if (!outcome.ok) {
        const state = refusedMachineForm(call, call, outcome.error);
        if (state) return await show(call, state, refusedParts(outcome.error));
        return refuseConsole(call, outcome.error, PLACE, ownSentences(view, call));
      }
      if ("done" in outcome.value) {
        return seeOther(pathWith(PLACE, { webhook: call.query.text("webhook"), done: outcome.value.done }));
      }
      const title = view.t.machines[outcome.value.title];
      const body = <ShownOnceBody place={PLACE} title={title} secret={outcome.value.secret} />;
      return showConsole(call, { at: PLACE, inside: true, title, body, islands: ["recovery-codes"] });
    },
  });
}

/** `/admin/machines/confirm`: asks before a program or a webhook of the platform loses something. */
export function confirmPlatformMachinesPage(deps: PersonDeps): Page {
  return consolePage(deps, {
    path: "/admin/machines/confirm",
    async get(call) {
      const { admin, query, view } = call;
      const reader = await authorizeMachineReader(deps, admin.session, null);
      const question = reader.ok ? await askMachine(deps, reader.value, query, view) : undefined;
      if (!question) return refuseConsole(call, NOTHING_THERE, PLACE);
      const [step, id] = [query.text("step"), query.text("id")];
      return askOnceMore(call, { at: PLACE, place: PLACE, step, id, ...question });
    },
  });
}
