/** The two steps of the sign-in page: the address, then the methods. */
import type { ComponentChildren } from "preact";
import type { SignInMethods } from "../../flows/sign-in-methods/list.ts";
import { signInPath } from "../../flows/sso/connections/urls.ts";
import type { AddressRoute } from "../../flows/sso/discovery/route-address.ts";
import { Check } from "../components/check.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { PasskeyError, Problem } from "../components/notices.tsx";
import { pathWith } from "../page.ts";
import { carried } from "../return-to.ts";
import { useView } from "../view.tsx";
import { ATTEMPTS, forgetAddress, selectOtherWay, signInWithPassword } from "./actions.ts";
import type { BrowserMemory } from "./browser-memory.ts";
import { firstWays, orderedWays } from "./order.ts";
import { ProviderButtons } from "./provider-buttons.tsx";
import { AddressPart, DefaultButton, Or, OtherWay, PasskeyButton, PasskeyFirst } from "./ways.tsx";

const ATTEMPTS_BEFORE_RESET = 3;
/** The form that forgets the address. */
const FORGET_FORM = "another-address";

export interface StepProps {
  readonly state: FormState;
  readonly to: string;
  readonly methods: SignInMethods;
  readonly memory: BrowserMemory;
  /** The request that failed at the identity provider of an organization. */
  readonly failedRequestId?: string | undefined;
}

/**
 * The first step. A password manager fills the hidden password together with the address: the form then signs in
 * without the second step.
 */
export function AddressStep({ state, to, methods, memory, failedRequestId }: StepProps) {
  const { site } = useView();
  const { lastMethod, hasUsedPasskey } = memory;
  const ways = firstWays(site.config.pages.signInMethods, methods);
  return (
    <SignInStage to={to}>
      <SignInForm to={to} state={state} failedRequestId={failedRequestId}>
        {hasUsedPasskey && <PasskeyFirst memory={memory} />}
        {ways.map((way, index) => {
          if (way === "passkey") return !hasUsedPasskey && <PasskeyButton key={way} lastMethod={lastMethod} />;
          if (way !== "password") return <ProviderButtons key={way.join()} {...{ providers: way, to, lastMethod }} />;
          return <AddressPart key={way} state={state} before={ways[index - 1]} after={ways[index + 1]} />;
        })}
      </SignInForm>
    </SignInStage>
  );
}

interface CompanyStepProps extends StepProps {
  readonly email: string;
  readonly company: AddressRoute;
}

/** The second step for a domain with single sign-on: the company first, and the methods after a choice. */
export function CompanyStep({ state, to, memory, email, company, failedRequestId }: CompanyStepProps) {
  const { t } = useView();
  return (
    <SignInStage to={to} title={memory.email === email ? t.signIn.welcomeBack : t.signIn.title}>
      <SignInForm to={to} state={state} failedRequestId={failedRequestId}>
        <KnownAddress email={email} />
        <p>{t.companySignIn.lead({ domain: company.domain })}</p>
        <CompanyLink route={company} to={to} primary />
        <Button wide name="step" value={selectOtherWay.step}>
          {t.companySignIn.otherWays}
        </Button>
      </SignInForm>
      <OtherAddressForm to={to} />
    </SignInStage>
  );
}

/** The second step, for the typed or remembered address. */
export function MethodStep({ state, to, methods, memory, email }: StepProps & { readonly email: string }) {
  const { t, site } = useView();
  const attempts = Number(state.values?.[ATTEMPTS] ?? 0);
  const ways = orderedWays(site.config.pages.signInMethods, methods).filter(
    (way) => way !== "passkey" || !memory.hasUsedPasskey,
  );
  return (
    <SignInStage to={to} title={memory.email === email ? t.signIn.welcomeBack : t.signIn.title}>
      <SignInForm to={to} state={state}>
        <KnownAddress email={email} />
        {methods.company && <CompanyFirst route={methods.company} to={to} />}
        {memory.hasUsedPasskey && <PasskeyFirst memory={memory} />}
        {ways.indexOf("email_code") < ways.indexOf("password") && <DefaultButton />}
        {ways.map((way, index) =>
          way === "password" ? (
            <>
              <Or beside={ways[index - 1]} />
              <PasswordPart state={state} to={to} attempts={attempts} isRemembered={memory.email === email} />
              <Or beside={ways[index + 1]} />
            </>
          ) : (
            <OtherWay key={String(way)} way={way} to={to} lastMethod={memory.lastMethod} />
          ),
        )}
      </SignInForm>
      <OtherAddressForm to={to} />
    </SignInStage>
  );
}

function OtherAddressForm({ to }: Pick<StepProps, "to">) {
  return (
    <Form action="/sign-in" id={FORGET_FORM} hidden repeatable>
      <input type="hidden" name="return_to" value={to} />
    </Form>
  );
}

interface SignInStageProps {
  readonly to: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function SignInStage({ to, title, children }: SignInStageProps) {
  const { t } = useView();
  const register = <a href={pathWith("/register", { return_to: carried(to) })}>{t.signIn.register}</a>;
  return (
    <Stage after={[t.signIn.newHere, " ", register]}>
      <StageHead title={title ?? t.signIn.title} />
      {children}
    </Stage>
  );
}

interface SignInFormProps extends Pick<StepProps, "to" | "state" | "failedRequestId"> {
  readonly children: ComponentChildren;
}

function SignInForm({ to, state, failedRequestId, children }: SignInFormProps) {
  const { t, site } = useView();
  // The sign-in page learns that the passkey was used, and leads to the return path.
  const afterPasskey = pathWith("/sign-in", { return_to: carried(to) });
  return (
    <Form action="/sign-in" data-passkey={site.config.urls.routePrefix} data-return-to={afterPasskey}>
      <input type="hidden" name="return_to" value={to} />
      <PasskeyError failed={t.signIn.passkeyFailed} />
      <Problem state={state} />
      {failedRequestId && (
        <p class="soft">
          {t.error.requestId} <code class="whole-id">{failedRequestId}</code>
        </p>
      )}
      {children}
    </Form>
  );
}

/** Read-only, but a field: password managers store a password together with the address of its form. */
function KnownAddress({ email }: { readonly email: string }) {
  const { t } = useView();
  return (
    <div class="field">
      <label class="sr" for="email">
        {t.common.email}
      </label>
      <input id="email" name="email" type="email" value={email} autocomplete="username" readOnly />
      <p class="hint">
        {t.signIn.notYou}{" "}
        <button class="link" form={FORGET_FORM} type="submit" name="step" value={forgetAddress.step}>
          {t.signIn.anotherAddress}
        </button>
      </p>
    </div>
  );
}

/** The reset of the password, which leads back to the sign-in and its target. */
function forgotPath(to: string): string {
  return pathWith("/forgot-password", { return_to: carried(to) });
}

interface PasswordPartProps {
  readonly to: string;
  readonly state: FormState;
  readonly attempts: number;
  readonly isRemembered: boolean;
}

function PasswordPart({ state, to, attempts, isRemembered }: PasswordPartProps) {
  const { t } = useView();
  return (
    <>
      <Field
        name="password"
        type="password"
        label={t.common.password}
        autocomplete="current-password"
        state={state}
        autofocus
        aside={<a href={forgotPath(to)}>{t.signIn.forgot}</a>}
      />
      <Check name="remember" label={t.signIn.remember} state={state} checked={isRemembered} />
      {attempts > 0 && <input type="hidden" name={ATTEMPTS} value={attempts} />}
      <Button kind="primary" wide name="step" value={signInWithPassword.step} busy={t.signIn.busy}>
        {t.signIn.action}
      </Button>
      {attempts >= ATTEMPTS_BEFORE_RESET && (
        <a class="button wide" href={forgotPath(to)}>
          {t.signIn.resetPassword}
        </a>
      )}
    </>
  );
}

interface CompanyLinkProps {
  readonly route: AddressRoute;
  readonly to: string;
  readonly primary?: boolean;
}

function CompanyLink({ route, to, primary }: CompanyLinkProps) {
  const { t, site } = useView();
  return (
    <a class={primary ? "button primary wide" : "button wide"} href={signInPath(site, route, to)} rel="nofollow">
      <Icon name="building" />
      {t.companySignIn.action}
    </a>
  );
}

/** The single sign-on of the company precedes the further methods. */
function CompanyFirst(props: CompanyLinkProps) {
  const { t } = useView();
  return (
    <div class="stack">
      <CompanyLink {...props} />
      <p class="or">{t.common.or}</p>
    </div>
  );
}
