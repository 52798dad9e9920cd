import { stepUpPath } from "../addresses.ts";
import { Button, Form } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { PasskeyError } from "../components/notices.tsx";
import { useView } from "../view.tsx";
import { beginSetup } from "./authenticator-actions.ts";
import { AUTHENTICATOR } from "./view-model.ts";

/** The set-up of the first second factor, in front of an action that needs a factor. `to`: the action. */
export function ProtectBody({ to }: { readonly to: string }) {
  const { t, site } = useView();
  return (
    <Stage after={<a href="/account/security">{t.common.cancel}</a>}>
      <StageHead title={t.protect.title} icon="shield" />
      <p>{t.protect.lead}</p>
      <PasskeyError failed={t.security.passkeyFailed} registered={t.security.passkeyRegistered} />
      <button
        class="button primary wide scripted"
        type="button"
        data-passkey-add={site.config.urls.routePrefix}
        data-confirm-at="/sign-in"
        data-next={stepUpPath(to)}
      >
        <Icon name="passkey" />
        {t.security.addPasskey}
      </button>
      <p class="soft" hidden data-passkey-unsupported="">
        {t.security.needsWebAuthn}
      </p>
      <noscript>
        <p class="soft">{t.security.needsScripts}</p>
      </noscript>
      <AppSetup to={to} kind="plain" />
    </Stage>
  );
}

function AppSetup({ to, kind }: { readonly to: string; readonly kind: "plain" | "primary" }) {
  const { t } = useView();
  return (
    <Form action={AUTHENTICATOR}>
      <input type="hidden" name="return_to" value={to} />
      <Button kind={kind} wide name="step" value={beginSetup.step}>
        <Icon name="phone" />
        {t.protect.app}
      </Button>
    </Form>
  );
}

/** The set-up of the factor that an organization requires after single sign-on. */
export function MemberFactorBody({ to, organization }: { readonly to: string; readonly organization: string }) {
  const { t } = useView();
  const { factorTitle, factorLead } = t.companyAccounts;
  return (
    <Stage after={<a href="/sign-out">{t.signOut.action}</a>}>
      <StageHead title={factorTitle} icon="shield" />
      <p>{factorLead({ organization })}</p>
      <AppSetup to={to} kind="primary" />
    </Stage>
  );
}
