/** `/team/members/:id/creations`: what a member or former member created, with one button that ends keys and links. */
import type { SessionDeps } from "../../deps.ts";
import {
  endMemberCreations,
  type MemberCreation,
  type MemberCreations,
  readCreations,
} from "../../flows/creations/creations.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";
import { requireStepUp } from "../../flows/steps/sessions/step-up.ts";
import type { Creation } from "../../models/creation/creation.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { Button, Form } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Time } from "../components/lists.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult, uuidIn } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

type CreationsDeps = SessionDeps & SignedInUserDeps;

export function creationsPath(userId: string): string {
  return `/team/members/${userId}/creations`;
}

export function creationsPage(deps: CreationsDeps): Page {
  return authenticatedPage({
    path: "/team/members/:id/creations",
    ofOrganization: true,
    get: (call) => show(deps, call),
    async post(call) {
      const { caller: user, client } = call;
      const userId = uuidIn(call.params.id ?? "");
      const [{ view }, caller] = [await signedInUser(deps, call), await authorize(deps, call)];
      if (!caller.ok) return refusedPage(view, caller.error);
      const steppedUp = requireStepUp(deps, user.session);
      if (!steppedUp.ok) return { ...seeOther(stepUpPath(creationsPath(userId))), refused: steppedUp.error };
      const ended = await endMemberCreations(deps, { caller: caller.value, userId, client });
      return ended.ok ? seeResult(creationsPath(userId), "ended") : refusedPage(view, ended.error);
    },
  });
}

function authorize(deps: CreationsDeps, { caller: { session } }: AuthenticatedCall) {
  return authorizePermission(deps, session, session.organizationId, "members.remove");
}

async function show(deps: CreationsDeps, call: AuthenticatedCall) {
  const userId = uuidIn(call.params.id ?? "");
  const [{ profile, view }, caller] = await Promise.all([signedInUser(deps, call), authorize(deps, call)]);
  if (!caller.ok) return refusedPage(view, caller.error);
  const creations = await readCreations(deps, { caller: caller.value, userId });
  const { t } = view;
  const title = creations.person === null ? t.creations.none : t.creations.title({ name: creations.person });
  const done = call.result === "ended" ? t.creations.ended : undefined;
  const body = <CreationsBody {...{ title, profile, creations, userId }} />;
  return showPage(view, { title, body, done });
}

interface CreationsProps {
  readonly title: string;
  readonly profile: Profile;
  readonly creations: MemberCreations;
  readonly userId: string;
}

function CreationsBody({ title, profile, creations: { items }, userId }: CreationsProps) {
  const { t } = useView();
  const stays = items.filter(({ kind }) => PAGE_OF[kind] !== undefined);
  return (
    <Shell at="/team" inside profile={profile}>
      <SubPageHead above={[{ href: "/team", text: t.team.title }]} title={title} lead={t.creations.lead} />
      <Rows>
        {items.length === 0 && <Empty text={t.creations.none} />}
        {items.map((item) => (
          <CreationRow key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </Rows>
      {stays.length > 0 && <p class="soft">{t.creations.stays}</p>}
      {items.length > stays.length && (
        <Form action={creationsPath(userId)}>
          <Button kind="loss">{t.creations.end}</Button>
        </Form>
      )}
    </Shell>
  );
}

/** The pages of the kinds that members sign in by; the button ends the other kinds. */
const PAGE_OF: Partial<Record<Creation["kind"], string>> = {
  connections: "/team/single-sign-on",
  domains: "/team/single-sign-on",
};

function CreationRow({ item: { kind, name, createdAt, madeWith } }: { readonly item: MemberCreation }) {
  const { t } = useView();
  const page = PAGE_OF[kind];
  return (
    <Row
      title={name ?? t.accessItems[kind]}
      details={
        <>
          {name !== null && `${t.accessItems[kind]} · `}
          <Time at={createdAt} />
          {madeWith && ` · ${t.creations.madeWith({ name: madeWith.name ?? t.accessItems.setup_links })}`}
        </>
      }
    >
      {page && (
        <a class="button" href={page}>
          {t.creations.open}
        </a>
      )}
    </Row>
  );
}
