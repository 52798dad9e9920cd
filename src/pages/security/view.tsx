import { NAME_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import type { Passkey } from "../../models/passkey/passkey.ts";
import type { Profile } from "../../models/user/profile.ts";
import { STEP_UP } from "../addresses.ts";
import { Button, Field, Form, PasskeyError } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { PasskeySignals } from "../components/passkey-signals.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { IdentitySection } from "./identities.tsx";
import { BrowserSection, SessionSection } from "./sessions.tsx";
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
      <IdentitySection viewModel={viewModel} />
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

function PasskeySection({ viewModel: { mfa, passkeys, signals } }: SectionProps) {
  const view = useView();
  const { t, site } = view;
  const canStepUp = mfa.enabledAt !== null || passkeys.total > 0;
  return (
    <Section title={t.security.passkeys} lead={t.security.passkeysLead}>
      <PasskeyError failed={t.security.passkeyFailed} registered={t.security.passkeyRegistered} />
      <PasskeySignals signals={signals} />
      <Form action={SECURITY} data-passkey-added="">
        <input type="hidden" name="step" value="passkey-added" />
      </Form>
      <Rows>
        {passkeys.items.map((passkey) => (
          <Row
            key={passkey.id}
            tile={<Tile name="passkey" />}
            title={
              <>
                {passkey.name ?? t.security.passkey} {passkey.backedUp && <Tag>{t.security.synced}</Tag>}
              </>
            }
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
            data-confirm-at={canStepUp ? STEP_UP : "/sign-in"}
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
