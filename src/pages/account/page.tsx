import type { Deps, SignInDeps, StoreDeps } from "../../deps.ts";
import { switchOrganization } from "../../flows/auth/switch-organization.ts";
import { type AvatarDeps, deleteOwnAvatar } from "../../flows/avatars/change.ts";
import { readBrowserSignals } from "../../flows/passkeys/browser-signals.ts";
import { updateOwnProfile } from "../../flows/users/profile.ts";
import { freshCookies } from "../../http/signed-in.ts";
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import type { BrowserSignals } from "../../models/passkey/ceremony.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { Island } from "../assets.ts";
import { organizationOf } from "../components/account-menu.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { LanguageField } from "../components/language-menu.tsx";
import { Shell } from "../components/layout.tsx";
import { Row, Rows, Setting } from "../components/lists.tsx";
import { PasskeySignals } from "../components/passkey-signals.tsx";
import { declinedOfferCookie } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  seeOther,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { type SiteDeps, useView, type View } from "../view.tsx";
import { EmailsSection, type OwnEmails, readOwnEmails } from "./emails-section.tsx";
import { ExportRow } from "./export-row.tsx";
import { JOIN, joinDisplayed, readJoinable } from "./joinable-rows.tsx";
import { mayCreateOrganizations } from "./new-organization.tsx";
import { OrganizationsSection, SWITCH } from "./organizations-section.tsx";
import { OwnerHint } from "./owner-hint.tsx";
import { DECLINE_PASSKEY, offersPasskey, PasskeyOffer } from "./passkey-offer.tsx";
import { PictureRow } from "./picture-row.tsx";
import { editsTimeZone, SAVE_TIME_ZONE, TimeZoneRow } from "./time-zone-row.tsx";

const PATH = "/account";
export type AccountViewDeps = SignedInUserDeps & StoreDeps & Pick<Deps, "addressKey" | "reads">;
type AccountDeps = SignInDeps & AccountViewDeps & AvatarDeps & Pick<Deps, "ssoDirectory">;

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
    <Shell at={PATH} profile={profile}>
      <h1>{t.account.title}</h1>
      <PasskeySignals signals={props.signals} />
      {site.config.embedded && profile.platformRole === null && <OwnerHint email={profile.email} />}
      {props.offersPasskey && <PasskeyOffer />}
      <ProfileSection {...props} />
      <EmailsSection emails={props.emails} verified={profile.emailVerified} />
      <SignInSection profile={profile} />
      <OrganizationsSection action={PATH} {...props} />
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
          <Form action={PATH} class="what bar">
            <Field
              name="display_name"
              label={t.account.name}
              state={state}
              value={profile.displayName ?? ""}
              autocomplete="name"
              optional
            />
            <Button name="step" value="rename">
              {t.common.save}
            </Button>
          </Form>
        </li>
        <Row title={t.common.language} details={t.account.languageLead}>
          <LanguageField />
        </Row>
        <TimeZoneRow action={PATH} timeZone={profile.timeZone} editing={editing} />
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

/** `organization`: the name of the organization of the session. */
function resultOf({ t }: View, done: string, organization: string): string | undefined {
  const texts = {
    saved: t.account.saved,
    verified: t.account.afterVerified,
    joined: t.account.joined,
    join_requested: t.joining.sent,
    organization_created: t.ownOrganizations.created,
    welcome: t.account.welcome({ name: organization }),
    password: t.account.passwordChanged,
    password_removed: t.account.passwordRemoved,
    switched: t.account.switched({ name: organization }),
    language: t.account.languageChanged,
    time_zone: t.account.timeZoneChanged,
    email_requested: t.emails.requested,
    email_changed: t.emails.changed,
    email_removed: t.emails.removed,
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
  const done = resultOf(view, call.result, organizationOf(profile, organizationId) ?? "");
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

/** `/account`: profile and picture, address, password, organizations. */
export function accountPage(deps: AccountDeps & SiteDeps): Page {
  const rename = async (call: AuthenticatedCall) => {
    const displayName = call.form.text("display_name").trim();
    const { caller, client } = call;
    const outcome = await updateOwnProfile(deps, { caller: caller.session, displayName: displayName || null, client });
    if (outcome.ok) return seeResult(PATH, "saved");
    const { view } = await signedInUser(deps, call);
    const state = refusedForm(view, outcome.error, { display_name: displayName });
    return await showAccount(deps, call, state, refusedParts(outcome.error));
  };
  const saveTimeZone = async (call: AuthenticatedCall) => {
    const { caller, client, form } = call;
    const change = { caller: caller.session, timeZone: form.text("time_zone") || null, client };
    const outcome = await updateOwnProfile(deps, change);
    if (outcome.ok) return seeResult(PATH, "time_zone");
    return refusedPage((await signedInUser(deps, call)).view, outcome.error);
  };
  const switchTo = async (call: AuthenticatedCall) => {
    const { caller, form, client } = call;
    const input = { caller: caller.session, organizationId: uuidIn(form.text("organization_id")), client };
    const outcome = await switchOrganization(deps, input);
    if (outcome.ok) {
      const { session, tokens } = outcome.value;
      return seeResult(PATH, "switched", freshCookies(deps, session.id, tokens));
    }
    const { view } = await signedInUser(deps, call);
    return requiredSsoReply(deps, view, outcome.error, PATH) ?? refusedPage(view, outcome.error);
  };
  const join = async (call: AuthenticatedCall) => {
    const joined = await joinDisplayed(deps, call);
    if (joined.ok) return seeResult(PATH, joined.value);
    const { view } = await signedInUser(deps, call);
    const { unavailable } = view.t.joining;
    const messages = { conflict: unavailable, not_found: unavailable };
    return requiredSsoReply(deps, view, joined.error, PATH) ?? refusedPage(view, joined.error, messages);
  };
  return authenticatedPage({
    path: PATH,
    servesSession: "enrolment",
    get: (call) => showAccount(deps, call, {}),
    async post(call) {
      const step = call.form.text("step");
      if (step === SWITCH) return await switchTo(call);
      if (step === JOIN) return await join(call);
      if (step === "rename") return await rename(call);
      if (step === SAVE_TIME_ZONE) return await saveTimeZone(call);
      if (step === DECLINE_PASSKEY) return seeOther(PATH, [declinedOfferCookie(deps.config)]);
      if (step !== "remove-picture") return refusedPage((await signedInUser(deps, call)).view, NOTHING_THERE);
      await deleteOwnAvatar(deps, { caller: call.caller.session, client: call.client });
      return seeResult(PATH, "saved");
    },
  });
}
