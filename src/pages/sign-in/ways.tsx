/** The ways of the sign-in page: fields, buttons and the separations between the ways. */
import { Button, Field, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { useView } from "../view.tsx";
import { signInWithPassword } from "./actions.ts";
import type { BrowserMemory } from "./browser-memory.ts";
import { SIGN_IN_CODE, sendCode } from "./code-actions.ts";
import type { Way } from "./order.ts";
import { LastUsed, ProviderButtons } from "./provider-buttons.tsx";

interface AddressPartProps {
  readonly state: FormState;
  readonly before: Way | undefined;
  readonly after: Way | undefined;
}

export function AddressPart({ state, before, after }: AddressPartProps) {
  const { t } = useView();
  return (
    <>
      <Or beside={before} />
      <Field
        name="email"
        type="email"
        label={t.common.email}
        autocomplete="username webauthn"
        state={state}
        autofocus
      />
      <input
        id="password"
        class="sr"
        type="password"
        name="password"
        autocomplete="current-password"
        tabIndex={-1}
        aria-hidden="true"
      />
      <Button kind="primary" wide>
        {t.common.continue}
      </Button>
      {after !== "passkey" && <Or beside={after} />}
    </>
  );
}

/** Separates a part with fields from the way before or after; without a way, no separation. */
export function Or({ beside }: { readonly beside: Way | undefined }) {
  const { t } = useView();
  if (beside === undefined) return null;
  return <p class={beside === "passkey" ? "or scripted" : "or"}>{t.common.or}</p>;
}

/** Enter presses the first button of a form: the password, also where the button of the code stands before. */
export function DefaultButton() {
  return (
    <button class="sr" type="submit" name="step" value={signInWithPassword.step} tabIndex={-1} aria-hidden="true" />
  );
}

interface OtherWayProps {
  readonly way: Exclude<Way, "password">;
  readonly to: string;
  readonly lastMethod: string | undefined;
}

export function OtherWay({ way, to, lastMethod }: OtherWayProps) {
  const { t } = useView();
  if (way === "passkey") return <PasskeyButton lastMethod={lastMethod} />;
  if (way !== "email_code") return <ProviderButtons providers={way} to={to} lastMethod={lastMethod} />;
  return (
    <Button wide formaction={SIGN_IN_CODE} unchecked name="step" value={sendCode.step} busy={t.common.sending}>
      <Icon name="mail" />
      {t.signIn.mailCode}
      <LastUsed method="email_code" lastMethod={lastMethod} />
    </Button>
  );
}

/** On a device that has used a passkey, the passkey precedes every other method. */
export function PasskeyFirst({ memory }: { readonly memory: BrowserMemory }) {
  const { t } = useView();
  return (
    <div class="stack scripted" data-passkey-offer>
      <PasskeyButton lastMethod={memory.lastMethod} />
      <p class="or">{t.common.or}</p>
    </div>
  );
}

export function PasskeyButton({ lastMethod }: Pick<BrowserMemory, "lastMethod">) {
  const { t } = useView();
  return (
    <button class="button wide scripted" type="button" data-passkey-button>
      <Icon name="passkey" />
      {t.signIn.passkey}
      <LastUsed method="passkey" lastMethod={lastMethod} />
    </button>
  );
}
