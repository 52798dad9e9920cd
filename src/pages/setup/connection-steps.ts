/** The steps to an active connection, one page each. */
import { type ActivationCondition, displayedConditions } from "../../flows/sso/connections/activation-conditions.ts";
import { pathWith } from "../page.ts";
import type { ConnectionForm } from "../single-sign-on/connection-form.ts";
import { type GuideScreen, guideActions, guideScreens } from "../single-sign-on/guide-screens.ts";
import type { ConnectionViewModel } from "../single-sign-on/view-model.ts";
import { SETUP_CONNECTION } from "./paths.ts";

export type WizardStep =
  | { readonly kind: "provider" | "values" | "domain" | "test" | "activation"; readonly key: string }
  | { readonly kind: "console"; readonly key: string; readonly screen: GuideScreen };

/** A younger result is what the reader came for: the browser has just returned from the identity provider. */
const NEW_RESULT_MS = 60_000;
/** The checks of a test that fail without the names of claims or attributes. */
const USER_DATA: ReadonlySet<string> = new Set(["subject", "email"]);

const plain = (kind: Exclude<WizardStep["kind"], "console">): WizardStep => ({ kind, key: kind });

export function wizardSteps({ connection }: Pick<ConnectionViewModel, "connection">): readonly WizardStep[] {
  const screens = guideScreens(guideActions(connection));
  return [
    plain("provider"),
    ...screens.map((screen, index): WizardStep => ({ kind: "console", key: `console-${index + 1}`, screen })),
    plain("values"),
    plain("domain"),
    plain("test"),
    plain("activation"),
  ];
}

export const stepPath = (key: string) => pathWith(SETUP_CONNECTION, { step: key });

/**
 * The step of an address. Without a step: the step of a refused form, a test that has just ended, else the first step
 * that is not done; a connection without values begins in the console of the identity provider.
 */
export function currentStep(
  steps: readonly WizardStep[],
  viewModel: ConnectionViewModel,
  asked: string,
  refused: ConnectionForm | undefined,
): WizardStep {
  const key = stepKey(viewModel, asked, refused);
  const found = steps.find((step) => step.key === key) ?? steps.find(({ kind }) => kind === "console");
  return found ?? plain("values");
}

function stepKey(viewModel: ConnectionViewModel, asked: string, refused: ConnectionForm | undefined): string {
  if (refused === "save-mapping") return lacksUserData(viewModel) ? "test" : "values";
  if (refused !== undefined || viewModel.preview) return "values";
  if (asked !== "") return asked;
  const { test, now } = viewModel;
  if (test && now.getTime() - Date.parse(test.result.at) < NEW_RESULT_MS) return "test";
  if (!isDone(viewModel, "values")) return "console-1";
  if (lacksNames(viewModel)) return "values";
  return (["domain", "test"] as const).find((kind) => !isDone(viewModel, kind)) ?? "activation";
}

/** Whether the service knows that a step is done. The steps in the console are done once the values are stored. */
export function isDone(viewModel: ConnectionViewModel, kind: WizardStep["kind"]): boolean {
  const { connection, domains } = viewModel;
  const met = displayedConditions(connection, domains);
  const of = (condition: ActivationCondition) => met[condition];
  switch (kind) {
    case "provider":
      return true;
    case "console":
    case "values":
      return of("values") && of("credential");
    case "domain":
      return of("domain");
    case "test":
      return of("test");
    case "activation":
      return connection.status === "active";
  }
}

/** Whether the attribute of the address is unknown: no instructions name the attributes of an unknown product. */
export function lacksNames({ connection }: ConnectionViewModel): boolean {
  const { preset, protocol, config } = connection;
  return preset === "custom" && protocol === "saml" && !config.email_from;
}

/** Whether the last test lacked the ID or the address of the user. */
export function lacksUserData({ test }: ConnectionViewModel): boolean {
  return test?.result.checks.some(({ name, outcome }) => outcome === "fail" && USER_DATA.has(name)) ?? false;
}
