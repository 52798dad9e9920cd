import type { Profile } from "../../models/user/profile.ts";
import { confirmPath } from "../action.ts";
import { STEP_UP } from "../addresses.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Setting, Tag, Time } from "../components/lists.tsx";
import { PasskeyError } from "../components/notices.tsx";
import { PasskeySignals } from "../components/passkey-signals.tsx";
import { Rename } from "../components/rename.tsx";
import { useView } from "../view.tsx";
import { deletePasskey, passkeyAdded, renamePasskey } from "./actions.ts";
import { beginSetup } from "./authenticator-actions.ts";
import { CompanyAccountSection } from "./company-accounts.tsx";
import { IdentitySection } from "./identities.tsx";
import { BrowserSection, SessionSection } from "./sessions.tsx";
import { AUTHENTICATOR, REVIEW, SECURITY, type SecurityViewModel } from "./view-model.ts";

interface SecurityProps {
  readonly profile: Profile;
  readonly viewModel: SecurityViewModel;
}

export function SecurityBody({ profile, viewModel }: SecurityProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile}>
      <h1>{t.security.title}</h1>
      {viewModel.awaitsReview && (
        <p class="note bad">
          {t.credentialReview.note} <a href={REVIEW}>{t.credentialReview.review}</a>
        </p>
      )}
      <FactorSection viewModel={viewModel} />
      <PasskeySection viewModel={viewModel} />
      <SessionSection viewModel={viewModel} />
      <BrowserSection viewModel={viewModel} />
      <IdentitySection viewModel={viewModel} />
      <CompanyAccountSection viewModel={viewModel} />
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
      <Setting title={t.security.factor} lead={t.security.factorLead}>
        <Rows>
          <Row title={t.security.app} details={t.security.appOff}>
            <Form action={AUTHENTICATOR}>
              <Button kind="primary" name="step" value={beginSetup.step}>
                {t.security.setUp}
              </Button>
            </Form>
          </Row>
        </Rows>
      </Setting>
    );
  }
  const left = mfa.recoveryCodesRemaining;
  return (
    <Setting title={t.security.factor} lead={t.security.factorLead}>
      <Rows>
        <Row
          tile={<Tile name="phone" />}
          title={
            <>
              {t.security.app} <Tag kind="good">{t.security.on}</Tag>
            </>
          }
          details={t.security.since({ day: dates.day(mfa.enabledAt) })}
        >
          <a class="button" href={`${AUTHENTICATOR}/off`}>
            {t.security.turnOff}
          </a>
        </Row>
        <Row
          tile={<Tile name="key" />}
          title={
            <>
              {t.security.recoveryCodes} {left <= 2 && <Tag kind="bad">{t.security.fewLeft}</Tag>}
            </>
          }
          details={t.security.codesLeft({ left })}
        >
          <a class="button" href="/account/security/recovery-codes">
            {t.security.newCodes}
          </a>
        </Row>
      </Rows>
    </Setting>
  );
}

function PasskeySection({ viewModel: { mfa, passkeys, signals } }: SectionProps) {
  const { t, dates, site } = useView();
  // The time is included: several passkeys can have equal names.
  const labelOf = ({ name, createdAt }: SecurityViewModel["passkeys"]["items"][number]) =>
    `${name ?? t.security.passkey}, ${dates.exact(createdAt)}`;
  const canStepUp = mfa.enabledAt !== null || passkeys.total > 0;
  return (
    <Setting title={t.security.passkeys} lead={t.security.passkeysLead}>
      <PasskeyError failed={t.security.passkeyFailed} registered={t.security.passkeyRegistered} />
      <PasskeySignals signals={signals} />
      <Form action={SECURITY} data-passkey-added="" hidden>
        <input type="hidden" name="step" value={passkeyAdded.step} />
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
            <div class="actions">
              <Rename id={`name-${passkey.id}`} name={passkey.name ?? ""} action={SECURITY} step={renamePasskey.step}>
                <input type="hidden" name="id" value={passkey.id} />
              </Rename>
              <a
                class="button bad"
                href={confirmPath(SECURITY, deletePasskey, { id: passkey.id })}
                data-confirm="yes"
                aria-label={`${t.common.remove}: ${labelOf(passkey)}`}
              >
                {t.common.remove}
              </a>
            </div>
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
    </Setting>
  );
}
