/** The first steps of an administrator, until every step is done or the list is hidden. */
import { FIRST_RUN_STEPS, type FirstRun, type FirstRunStep } from "../../../flows/platform/first-run.ts";
import { Button, Form } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { useView } from "../../view.tsx";
import { hideFirstSteps, OVERVIEW } from "./actions.ts";

/** The page of a step; the brand is a setting of the operator. */
const PLACES: Readonly<Record<FirstRunStep, string | undefined>> = {
  factor: "/account/security",
  email: "/admin/providers/email_transport",
  brand: undefined,
  application: "/admin/oauth-clients/new",
  colleague: "/admin/users/new",
};

export function FirstSteps({ firstRun }: { readonly firstRun: FirstRun }) {
  const { t, dates, site } = useView();
  const done = FIRST_RUN_STEPS.filter((step) => firstRun[step]);
  if (done.length === FIRST_RUN_STEPS.length) return null;
  const next = FIRST_RUN_STEPS.find((step) => !firstRun[step] && PLACES[step]);
  return (
    <section class="box" aria-labelledby="first-run">
      <header>
        <div>
          <h2 id="first-run">{t.firstRun.title({ brand: site.config.brand.name })}</h2>
          <p class="soft">{t.firstRun.done({ count: done.length, total: dates.number(FIRST_RUN_STEPS.length) })}</p>
        </div>
        <Form action={OVERVIEW}>
          <Button name="step" value={hideFirstSteps.step}>
            {t.firstRun.hide}
          </Button>
        </Form>
      </header>
      <ul class="rows">
        {FIRST_RUN_STEPS.map((step) => (
          <Step key={step} step={step} isDone={firstRun[step]} isNext={step === next} />
        ))}
      </ul>
    </section>
  );
}

interface StepProps {
  readonly step: FirstRunStep;
  readonly isDone: boolean;
  /** The first open step has the main button. */
  readonly isNext: boolean;
}

function Step({ step, isDone, isNext }: StepProps) {
  const { t } = useView();
  const place = PLACES[step];
  const { title, details, action } = t.firstRun.steps[step];
  return (
    <li>
      <span class={isDone ? "dot good" : "dot"}>
        {isDone && <Icon name="check" small />}
        <span class="sr">{isDone ? t.firstRun.stepDone : t.firstRun.stepOpen}</span>
      </span>
      <span class="what">
        <strong>{title}</strong>
        {!isDone && <small>{details}</small>}
      </span>
      {!isDone && place && (
        <a class={isNext ? "button primary" : "button"} href={place} aria-label={`${action}: ${title}`}>
          {action}
        </a>
      )}
    </li>
  );
}
