/** Messages above the content of a page: the refusal of a form, the result of the preceding form, passkey problems. */
import { useView } from "../view.tsx";
import type { FormState } from "./form.tsx";
import { Icon } from "./icon.tsx";

/** The announced refusal of the whole form. `current`: the page with the stored values, if the values differ. */
export function Problem({ state, current }: { readonly state: FormState; readonly current?: string }) {
  const { t } = useView();
  return state.problem ? (
    <p class="note bad" role="alert">
      {state.problem} {current && state.stored && <a href={current}>{t.common.loadCurrent}</a>}
    </p>
  ) : null;
}

/** The messages of the passkey islands (islands/passkey.ts). */
export function PasskeyError({ failed, registered }: { readonly failed: string; readonly registered?: string }) {
  const { t } = useView();
  return (
    <p
      class="note bad"
      role="alert"
      hidden
      data-passkey-error=""
      data-failed={failed}
      data-registered={registered}
      data-limited={t.problems.rate_limited}
    />
  );
}

/**
 * The result of the preceding form. The line takes the focus: screen readers do not announce a status that exists when
 * the page loads.
 */
export function Done() {
  const { done } = useView();
  return done ? (
    <p class="note good done" role="status" tabIndex={-1} autofocus>
      <Icon name="check" />
      <span>{done}</span>
    </p>
  ) : null;
}
