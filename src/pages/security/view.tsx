import { PROVIDER_NAMES } from "../../flows/social-sign-in/start.ts";
import { NAME_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import type { Passkey } from "../../models/passkey/passkey.ts";
import type { Profile } from "../../models/user/profile.ts";
import { useDevice } from "../components/device.ts";
import { Button, Field, Form, PasskeyError } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Row, Rows, Section, Tag, Time, Until } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { AUTHENTICATOR, removePasskeyTitle, SECURITY, type SecurityViewModel } from "./view-model.ts";

interface SecurityProps {
  readonly profile: Profile;
  readonly viewModel: SecurityViewModel;
}

export function SecurityBody({ profile, viewModel }: SecurityProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile}>
      <h1>{t.security.title}</h1>
      <FactorSection viewModel={viewModel} />
      <PasskeySection viewModel={viewModel} />
      <SessionSection viewModel={viewModel} />
      <BrowserSection viewModel={viewModel} />
      {viewModel.identities.length > 0 && <IdentitySection viewModel={viewModel} />}
    </Shell>
  );
}

interface SectionProps {
  readonly viewModel: SecurityViewModel;
}

function FactorSection({ viewModel: { mfa } }: SectionProps) {
  const { t, dates } = useView();
  if (mfa.enabledAt === null) {
    return (
      <Section title={t.security.factor} lead={t.security.factorLead}>
        <Rows>
          <Row title={t.security.app} details={t.security.appOff}>
            <Form action={AUTHENTICATOR}>
              <Button kind="primary" name="step" value="begin">
                {t.security.setUp}
              </Button>
            </Form>
          </Row>
        </Rows>
      </Section>
    );
  }
  const left = mfa.recoveryCodesRemaining;
  return (
    <Section title={t.security.factor} lead={t.security.factorLead}>
      <Rows>
        <Row
          title={
            <>
              {t.security.app} <Tag kind="good">{t.security.on}</Tag>
            </>
          }
          details={t.security.since(dates.day(mfa.enabledAt))}
        >
          <a class="button" href={`${AUTHENTICATOR}/off`}>
            {t.security.turnOff}
          </a>
        </Row>
        <Row
          title={
            <>
              {t.security.recoveryCodes} {left <= 2 && <Tag kind="bad">{t.security.fewLeft}</Tag>}
            </>
          }
          details={t.security.codesLeft(left)}
        >
          <a class="button" href="/account/security/recovery-codes">
            {t.security.newCodes}
          </a>
        </Row>
      </Rows>
    </Section>
  );
}

function PasskeySection({ viewModel: { mfa, passkeys } }: SectionProps) {
  const view = useView();
  const { t, site } = view;
  const canStepUp = mfa.enabledAt !== null || passkeys.total > 0;
  return (
    <Section title={t.security.passkeys} lead={t.security.passkeysLead}>
      <PasskeyError failed={t.security.passkeyFailed} registered={t.security.passkeyRegistered} />
      <Form action={SECURITY} data-passkey-added="">
        <input type="hidden" name="step" value="passkey-added" />
      </Form>
      <Rows>
        {passkeys.items.map((passkey) => (
          <Row
            key={passkey.id}
            title={passkey.name ?? t.security.passkey}
            details={
              <>
                {t.security.added} <Time at={passkey.createdAt} />
                {passkey.lastUsedAt && (
                  <>
                    {" · "}
                    {t.security.used} <Time at={passkey.lastUsedAt} />
                  </>
                )}
              </>
            }
          >
            <RenamePasskey passkey={passkey} />
            <a
              class="button bad"
              href={pathWith(`${SECURITY}/confirm`, { step: "delete-passkey", id: passkey.id })}
              data-confirm="yes"
              aria-label={removePasskeyTitle(view, passkey)}
            >
              {t.common.remove}
            </a>
          </Row>
        ))}
        <Empty text={t.security.passkeyHint}>
          <button
            class="button primary scripted"
            type="button"
            data-passkey-add={site.config.urls.routePrefix}
            data-confirm-at={canStepUp ? "/step-up" : "/sign-in"}
          >
            {t.security.addPasskey}
          </button>
          <small hidden data-passkey-unsupported="">
            {t.security.needsWebAuthn}
          </small>
          <noscript>
            <small>{t.security.needsScripts}</small>
          </noscript>
        </Empty>
      </Rows>
    </Section>
  );
}

/** The form opens in place, also without scripts. */
function RenamePasskey({ passkey: { id, name } }: { readonly passkey: Passkey }) {
  const { t } = useView();
  return (
    <details>
      <summary class="button" aria-label={`${t.security.rename}: ${name}`}>
        {t.security.rename}
      </summary>
      <Form action={SECURITY} class="stack">
        <input type="hidden" name="id" value={id} />
        <Field id={`name-${id}`} name="name" label={t.security.newName} value={name} maxlength={NAME_MAX_CHARACTERS} />
        <Button name="step" value="rename-passkey">
          {t.common.save}
        </Button>
      </Form>
    </details>
  );
}

function SessionSection({ viewModel: { sessions } }: SectionProps) {
  const { t, dates } = useView();
  const device = useDevice();
  const nameOf = ({ userAgent, ipAddress, lastUsedAt }: SecurityViewModel["sessions"]["items"][number]) =>
    [device(userAgent), ipAddress, dates.relative(lastUsedAt)].filter(Boolean).join(", ");
  return (
    <Section title={t.security.sessions}>
      <Rows>
        {sessions.items.map((session) => (
          <Row
            key={session.id}
            title={
              <>
                {device(session.userAgent)} {session.current && <Tag>{t.common.thisDevice}</Tag>}
              </>
            }
            details={
              <>
                <span class="mono">{session.ipAddress}</span> · <Time at={session.lastUsedAt} />
              </>
            }
          >
            {!session.current && (
              <Form action={SECURITY}>
                <input type="hidden" name="id" value={session.id} />
                <Button name="step" value="revoke-session" label={`${t.signOut.action}: ${nameOf(session)}`}>
                  {t.signOut.action}
                </Button>
              </Form>
            )}
          </Row>
        ))}
      </Rows>
      <Pages {...sessions} path={SECURITY} />
      {sessions.total > 1 && (
        <a class="button bad" href={pathWith(`${SECURITY}/confirm`, { step: "revoke-sessions" })} data-confirm="yes">
          {t.security.endOthers}
        </a>
      )}
    </Section>
  );
}

function BrowserSection({ viewModel: { browsers } }: SectionProps) {
  const { t } = useView();
  const device = useDevice();
  const nameOf = ({ name, userAgent }: SecurityViewModel["browsers"]["items"][number]) => name ?? device(userAgent);
  return (
    <Section title={t.security.browsers} lead={t.security.browsersLead}>
      <Rows>
        {browsers.items.map((browser) => (
          <Row
            key={browser.id}
            title={nameOf(browser)}
            details={
              <>
                <span class="mono">{browser.ipAddress}</span> · <Until at={browser.expiresAt} />
              </>
            }
          >
            <Form action={SECURITY}>
              <input type="hidden" name="id" value={browser.id} />
              <Button
                name="step"
                value="forget-browser"
                label={`${t.security.forget}: ${[nameOf(browser), browser.ipAddress].filter(Boolean).join(", ")}`}
              >
                {t.security.forget}
              </Button>
            </Form>
          </Row>
        ))}
        {browsers.items.length === 0 && <Empty text={t.security.noBrowsers} />}
      </Rows>
    </Section>
  );
}

function IdentitySection({ viewModel: { identities } }: SectionProps) {
  const { t } = useView();
  return (
    <Section title={t.security.identities} lead={t.security.identitiesLead}>
      <Rows>
        {identities.map((identity) => (
          <Row
            key={`${identity.provider} ${identity.createdAt.toISOString()}`}
            title={PROVIDER_NAMES[identity.provider] ?? identity.provider}
            details={
              <>
                {t.security.used} <Time at={identity.lastUsedAt} />
              </>
            }
          />
        ))}
      </Rows>
    </Section>
  );
}
