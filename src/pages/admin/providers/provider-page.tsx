import { readIntegration } from "../../../flows/integrations/administer.ts";
import { callbackUri } from "../../../flows/integrations/callback-uri.ts";
import { authorizeIntegration } from "../../../flows/steps/authorization/authorize-integration.ts";
import type { Reply } from "../../../http/reply.ts";
import { resultText } from "../../action.ts";
import { type ActionPage, postAction } from "../../action-page.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import type { Page } from "../../page.ts";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { consoleFrame } from "../console-actions.tsx";
import { type ProviderInput, type ProviderState, providerActions, saveProvider } from "./actions.ts";
import { PROVIDERS } from "./page.tsx";
import { ProviderBody, type ProviderProps } from "./view.tsx";

type ProviderDeps = ProviderInput["deps"];

const PAGE: ActionPage<ProviderInput, ProviderState> = {
  frame: consoleFrame(PROVIDERS),
  actions: providerActions,
  defaultStep: saveProvider.step,
  place: ({ call }) => `${PROVIDERS}/${call.params.provider}`,
  show: ({ deps, call }, state, parts) => show(deps, call, state, parts),
};

/** `/admin/providers/:provider`: settings, the masked secret, a test. */
export function providerPage(deps: ProviderDeps): Page {
  return consolePage(deps, {
    path: "/admin/providers/:provider",
    limit: "integrations",
    get: (call) => show(deps, call),
    post: (call) => postAction(PAGE, { deps, call, display: (state) => show(deps, call, state) }),
  });
}

async function show(
  deps: ProviderDeps,
  call: ConsoleCall,
  { state = {}, probe }: ProviderState = {},
  parts: DisplayedParts = {},
): Promise<Reply> {
  const { admin, params, view } = call;
  const found = await readIntegration(deps, admin, params.provider ?? "");
  if (!found.ok) return refuseConsole(call, found.error, PROVIDERS);
  const form = found.value;
  const { provider } = form.view;
  // The submitted values stay in the form.
  const may = state.values ? "edit" : await mayEdit(deps, call, provider);
  const redirectUri = provider.startsWith("oauth_") ? callbackUri(deps.config.urls, provider) : undefined;
  const needsStepUp = asksStepUp(parts.refused);
  const body = <ProviderBody {...{ form, redirectUri, may, state, needsStepUp, probe }} />;
  const done = resultText(view, providerActions, call.result);
  return showConsole(call, { at: PROVIDERS, inside: true, title: form.name, body, done, islands: ["copy"], ...parts });
}

async function mayEdit(deps: ProviderDeps, call: ConsoleCall, provider: string): Promise<ProviderProps["may"]> {
  if (!mayAct(call.admin)) return "none";
  return (await authorizeIntegration(deps, call.caller, provider)).ok ? "edit" : "see";
}
