import { readBrowserSignals } from "../../flows/passkeys/browser-signals.ts";
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import type { BrowserSignals } from "../../models/passkey/ceremony.ts";
import type { Profile } from "../../models/user/profile.ts";
import { resultText } from "../action.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import type { Island } from "../assets.ts";
import { organizationOf } from "../components/account-menu.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { LanguageField } from "../components/language-menu.tsx";
import { Shell } from "../components/layout.tsx";
import { Row, Rows, Setting } from "../components/lists.tsx";
import { PasskeySignals } from "../components/passkey-signals.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, type Page, textAt } from "../page.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { ACCOUNT, type AccountInput, type AccountViewDeps, accountActions, renameAccount } from "./account-actions.ts";
import { emailActions } from "./email-actions.ts";
import { EmailsSection } from "./emails-section.tsx";
import { ExportRow } from "./export-row.tsx";
import { readJoinable } from "./joinable.ts";
import { mayCreateOrganizations } from "./new-organization.tsx";
import { OrganizationsSection } from "./organizations-section.tsx";
import { type OwnEmails, readOwnEmails } from "./own-emails.ts";
import { OwnerHint } from "./owner-hint.tsx";
import { offersPasskey, PasskeyOffer } from "./passkey-offer.tsx";
import { PictureRow } from "./picture-row.tsx";
import { editsTimeZone, TimeZoneRow } from "./time-zone-row.tsx";

interface BodyProps {
  readonly profile: Profile;
  readonly organizationId: string;
  readonly state: FormState;
  readonly emails: OwnEmails;
  readonly offersPasskey: boolean;
  /** The form of the time zone is open. */
  readonly editsZone: boolean;
  readonly signals: BrowserSignals | undefined;
  readonly joinable: readonly JoinableOrganization[];
  /** The section of organizations leads to a further organization. */
  readonly mayCreate: boolean;
}

function AccountBody(props: BodyProps) {
  const { t, site } = useView();
  const { profile } = props;
  return (
    <Shell at={ACCOUNT} profile={profile}>
      <h1>{t.account.title}</h1>
      <PasskeySignals signals={props.signals} />
      {site.config.embedded && profile.platformRole === null && <OwnerHint email={profile.email} />}
      {props.offersPasskey && <PasskeyOffer />}
      <ProfileSection {...props} />
      <EmailsSection emails={props.emails} verified={profile.emailVerified} />
      <SignInSection profile={profile} />
      <OrganizationsSection action={ACCOUNT} {...props} />
      <LeavingSection />
    </Shell>
  );
}

function ProfileSection({ profile, state, editsZone: editing }: BodyProps) {
  const { t } = useView();
  return (
    <Setting title={t.account.profile}>
      <Rows>
        <PictureRow profile={profile} error={state.errors?.file} />
        <li>
          <Form action={ACCOUNT} class="what bar">
            <Field
              name="display_name"
              label={t.account.name}
              state={state}
              value={profile.displayName ?? ""}
              autocomplete="name"
              optional
            />
            <Button name="step" value={renameAccount.step}>
              {t.common.save}
            </Button>
          </Form>
        </li>
        <Row title={t.common.language} details={t.account.languageLead}>
          <LanguageField />
        </Row>
        <TimeZoneRow action={ACCOUNT} timeZone={profile.timeZone} editing={editing} />
      </Rows>
    </Setting>
  );
}

function SignInSection({ profile }: { readonly profile: Profile }) {
  const { t } = useView();
  return (
    <Setting title={t.account.signIn}>
      <Rows>
        <Row
          tile={<Tile name="key" />}
          title={t.common.password}
          details={profile.hasPassword ? t.account.passwordSet : t.account.passwordMissing}
        >
          <a class="button" href="/account/password">
            {profile.hasPassword ? t.account.changePassword : t.account.setPassword}
          </a>
        </Row>
        <Row
          tile={<Tile name="shield" />}
          title={t.security.factor}
          details={profile.mfaEnabled ? t.security.factorOn : t.security.factorOff}
        >
          <a class="button" href="/account/security">
            {t.security.title}
          </a>
        </Row>
      </Rows>
    </Setting>
  );
}

function LeavingSection() {
  const { t } = useView();
  return (
    <Setting title={t.dataExport.title}>
      <Rows>
        <ExportRow />
        <Row tile={<Tile name="trash" />} title={t.deleteAccount.title} details={t.deleteAccount.rowDetails}>
          <a class="button bad" href="/account/delete">
            {t.deleteAccount.open}
          </a>
        </Row>
      </Rows>
    </Setting>
  );
}

/** The results of further pages that lead here. `organization`: the name of the organization of the session. */
function otherResult({ t }: View, done: string, organization: string): string | undefined {
  const texts = {
    verified: t.account.afterVerified,
    join_requested: t.joining.sent,
    organization_created: t.ownOrganizations.created,
    welcome: t.account.welcome({ name: organization }),
    password: t.account.passwordChanged,
    password_removed: t.account.passwordRemoved,
    switched: t.account.switched({ name: organization }),
    language: t.account.languageChanged,
  };
  return textAt(texts, done);
}

function islandsOf({ timeZone }: Profile, editsZone: boolean, offersToAddPasskey: boolean): readonly Island[] {
  return [
    "picture",
    "passkey-signals",
    ...(offersToAddPasskey ? (["passkey-add"] as const) : []),
    ...(editsZone && timeZone === null ? (["time-zone"] as const) : []),
  ];
}

export async function showAccount(
  deps: AccountViewDeps,
  call: AuthenticatedCall,
  state: FormState,
  parts: DisplayedParts = {},
) {
  const { profile, view } = await signedInUser(deps, call);
  const { organizationId } = call.caller.session;
  const organization = organizationOf(profile, organizationId) ?? "";
  const done = resultText(view, RESULTS, call.result) ?? otherResult(view, call.result, organization);
  const emails = await readOwnEmails(deps, call.caller.session);
  const offers = await offersPasskey(deps, call, profile);
  const signals = await readBrowserSignals(deps, call.caller.session);
  const editsZone = editsTimeZone(call.query);
  const joinable = await readJoinable(deps, call.caller.session);
  const mayCreate = mayCreateOrganizations(deps, call.caller.session);
  const shown = { emails, offersPasskey: offers, signals, editsZone, joinable, mayCreate };
  const props = { profile, organizationId, state, ...shown };
  const islands = islandsOf(profile, editsZone, offers);
  return showPage(view, { title: view.t.account.title, body: <AccountBody {...props} />, done, islands, ...parts });
}

/** The page of an address leads here. */
const RESULTS = { ...accountActions, ...emailActions };

const PAGE: ActionPage<AccountInput, FormState> = {
  frame: {
    ...shellFrame(ACCOUNT),
    refuse: ({ deps }, { view }, refusal, own) =>
      requiredSsoReply(deps, view, refusal, ACCOUNT) ?? refusedPage(view, refusal, own),
  },
  actions: accountActions,
  place: () => ACCOUNT,
  show: ({ deps, call }, state, parts) => showAccount(deps, call, state, parts),
};

/** `/account`: profile and picture, address, password, organizations. */
export function accountPage(deps: AccountInput["deps"]): Page {
  return actionPage(deps, PAGE, {
    path: ACCOUNT,
    servesSession: "enrolment",
    get: (call) => showAccount(deps, call, {}),
  });
}
