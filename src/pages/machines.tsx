import { authorizeMachineReader } from "../flows/steps/authorize-machines.ts";
import type { FormState } from "./components/form.tsx";
import { Shell } from "./components/layout.tsx";
import { asksStepUp } from "./components/step-up-again.tsx";
import { refusedPage } from "./error.tsx";
import { type ShownParts, showPage } from "./html.tsx";
import { type ActDeps, actOnMachines, ownSentences, refusedMachineForm, resultOf } from "./machines-actions.ts";
import { MachinesBody, ShownOnceBody } from "./machines-body.tsx";
import { machineFacts } from "./machines-facts.ts";
import { type Page, type PersonCall, pathWith, personPage, seeOther } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";
import { refusedParts } from "./sentences.ts";

const MACHINES = "/machines";

type MachineDeps = PersonDeps & ActDeps;

async function factsOf(deps: MachineDeps, { caller: { session }, query }: PersonCall) {
  const reader = await authorizeMachineReader(deps, session, session.organizationId);
  return reader.ok ? await machineFacts(deps, { place: MACHINES, caller: reader.value, acts: true, query }) : undefined;
}

/** `/machines`: service accounts with their keys, and webhooks, of the session's organization. */
export function machinesPage(deps: MachineDeps): Page {
  const show = async (call: PersonCall, state: FormState, parts: ShownParts = {}) => {
    const [{ profile, view }, facts] = await Promise.all([personOf(deps, call), factsOf(deps, call)]);
    const done = parts.refused === undefined ? resultOf(view, call.query.text("done")) : undefined;
    const again = asksStepUp({ profile }, parts.refused);
    const body = (
      <Shell at={MACHINES} profile={profile}>
        <MachinesBody facts={facts} state={state} done={done} again={again} />
      </Shell>
    );
    return showPage(view, { title: view.t.machines.title, body, islands: ["confirm"], ...parts });
  };
  return personPage({
    path: MACHINES,
    ofOrganization: true,
    get: (call) => show(call, {}),
    async post(call) {
      const outcome = await actOnMachines(deps, call, call.caller.session.organizationId);
      const who = await personOf(deps, call);
      const { profile, view } = who;
      if (outcome.ok) {
        if ("done" in outcome.value) {
          return seeOther(pathWith(MACHINES, { webhook: call.query.text("webhook"), done: outcome.value.done }));
        }
        const title = view.t.machines[outcome.value.title];
        const body = (
          <Shell at={MACHINES} profile={profile}>
            <ShownOnceBody place={MACHINES} title={title} secret={outcome.value.secret} />
          </Shell>
        );
        return showPage(view, { title, body, islands: ["recovery-codes"] });
      }
      const { error } = outcome;
      const state = refusedMachineForm(who, call, error);
      if (state) return await show(call, state, refusedParts(error));
      return refusedPage(view, error, ownSentences(view, call));
    },
  });
}
