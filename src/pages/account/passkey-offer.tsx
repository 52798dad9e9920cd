/** The offer of a passkey after a sign-in with a password, on the page of the account. */
import type { Deps } from "../../deps.ts";
import { isNewSession } from "../../flows/steps/sessions/step-up.ts";
import type { Profile } from "../../models/user/profile.ts";
import { Button, Form } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { PasskeyError } from "../components/notices.tsx";
import { isPasskeyOfferDeclined } from "../cookies.ts";
import type { AuthenticatedCall } from "../page.ts";
import { passkeyAdded } from "../security/actions.ts";
import { findSecondFactors } from "../security/second-factors.ts";
import { useView } from "../view.tsx";
import { declinePasskey } from "./account-actions.ts";

/** Whether the page offers a passkey: shortly after a sign-in with a password, to a user without a passkey. */
export async function offersPasskey(
  deps: Pick<Deps, "clock" | "reads">,
  { caller: { session }, cookies }: AuthenticatedCall,
  profile: Profile,
): Promise<boolean> {
  if (session.authMethod !== "password" || !profile.emailVerified || isPasskeyOfferDeclined(cookies)) return false;
  return isNewSession(deps, session) && !(await findSecondFactors(deps, session, profile)).passkey;
}

/** Present with scripts only: a passkey needs scripts. */
export function PasskeyOffer() {
  const { t, site } = useView();
  return (
    <section class="note scripted" data-passkey-offer aria-labelledby="passkey-offer">
      <Icon name="passkey" />
      <div class="stack near">
        <h2 id="passkey-offer">{t.account.offerTitle}</h2>
        <p>{t.account.offerLead}</p>
        <PasskeyError failed={t.security.passkeyFailed} registered={t.security.passkeyRegistered} />
        <Form action="/account" class="actions">
          <button
            class="button primary"
            type="button"
            data-passkey-add={site.config.urls.routePrefix}
            data-confirm-at="/sign-in"
          >
            {t.security.addPasskey}
          </button>
          <Button name="step" value={declinePasskey.step}>
            {t.account.offerLater}
          </Button>
        </Form>
        <Form action="/account/security" hidden data-passkey-added="">
          <input type="hidden" name="step" value={passkeyAdded.step} />
        </Form>
      </div>
    </section>
  );
}
