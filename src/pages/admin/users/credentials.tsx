/** Passkeys, second factors and linked providers of a user. */
import { clampPage } from "../../../database/listing.ts";
import {
  listIdentitiesOf,
  listPasskeysOf,
  type NamedIdentity,
  readMfaStatusOf,
} from "../../../flows/users/credentials.ts";
import { PASSKEYS_PER_USER_MAX } from "../../../limits/credential-limits.ts";
import type { Passkey } from "../../../models/passkey/passkey.ts";
import type { MfaStatus } from "../../../models/second-factor/second-factor.ts";
import { confirmPath } from "../../action.ts";
import { Empty, EmptyBox, Row, Rows, Section, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { USERS } from "./list.ts";
import { nameOf, type ReadSection } from "./sections.tsx";
import { resetFactor } from "./user-actions.ts";

const ALL_PASSKEYS = clampPage(1, PASSKEYS_PER_USER_MAX);

export const readFactors: ReadSection = async ({ deps, call: { admin: caller }, user, acts }) => {
  const { userId } = user;
  const [passkeys, mfa] = await Promise.all([
    listPasskeysOf(deps, { caller, userId, page: ALL_PASSKEYS }),
    readMfaStatusOf(deps, { caller, userId }),
  ]);
  return (
    <>
      <Passkeys name={nameOf(user)} passkeys={passkeys.items} />
      <AuthenticatorApp userId={userId} mfa={mfa} acts={acts} />
    </>
  );
};

function Passkeys({ name, passkeys }: { readonly name: string; readonly passkeys: readonly Passkey[] }) {
  const { t } = useView();
  const { added, lastUsed } = t.directory;
  return (
    <Section title={t.directory.passkeys} lead={t.directory.passkeyLead}>
      {passkeys.length === 0 ? (
        <EmptyBox icon="passkey" text={t.directory.noPasskeys} />
      ) : (
        <Table label={`${t.directory.passkeys}, ${name}`} columns={[t.organizations.name, added, lastUsed]}>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <Cell>
                <strong>{passkey.name}</strong>
              </Cell>
              <Cell label={added}>
                <Time at={passkey.createdAt} />
              </Cell>
              <Cell label={lastUsed}>
                {passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : <span class="soft">{t.users.never}</span>}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

interface AppProps {
  readonly userId: string;
  readonly mfa: MfaStatus;
  readonly acts: boolean;
}

function AuthenticatorApp({ userId, mfa, acts }: AppProps) {
  const { t } = useView();
  return (
    <Section title={t.directory.app}>
      <Rows>
        {mfa.enabledAt ? (
          <Row
            title={
              <>
                {t.directory.appSince} <Time at={mfa.enabledAt} />
              </>
            }
            details={t.directory.codesLeft({ count: mfa.recoveryCodesRemaining })}
          >
            {acts && (
              <a class="button bad" href={confirmPath(`${USERS}/${userId}`, resetFactor)} data-confirm="yes">
                {t.users.reset}
              </a>
            )}
          </Row>
        ) : (
          <Empty text={t.directory.appOff} />
        )}
      </Rows>
    </Section>
  );
}

export const readProviders: ReadSection = async ({ deps, call: { admin: caller }, user }) => {
  const identities = await listIdentitiesOf(deps, { caller, userId: user.userId });
  return <Providers name={nameOf(user)} identities={identities} />;
};

function Providers({ name, identities }: { readonly name: string; readonly identities: readonly NamedIdentity[] }) {
  const { t } = useView();
  const { account, added, lastUsed } = t.directory;
  const columns = [t.providers.title, account, added, lastUsed];
  return (
    <Section title={t.directory.providers} lead={t.directory.providersLead}>
      {identities.length === 0 ? (
        <EmptyBox icon="plug" text={t.directory.noProviders} />
      ) : (
        <Table label={`${t.directory.providers}, ${name}`} columns={columns}>
          {identities.map((identity) => (
            <tr key={identity.id}>
              <Cell>
                <strong>{identity.providerName}</strong>
              </Cell>
              <Cell label={account}>{identity.label ?? <span class="soft">–</span>}</Cell>
              <Cell label={added}>
                <Time at={identity.createdAt} />
              </Cell>
              <Cell label={lastUsed}>
                {identity.lastUsedAt ? <Time at={identity.lastUsedAt} /> : <span class="soft">{t.users.never}</span>}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
