/**
 * The question before a grant through channels of people with less power (docs/contract.md, section 32.9): the page of
 * every form that was refused for that reason names the people, and sends the form again with the confirmation.
 */
import type { NamedChannel } from "../base/problem.ts";
import { CSRF_FIELD, ORGANIZATION_FIELD } from "../http/form-csrf.ts";
import { pathOf } from "./addresses.ts";
import { Button, Form } from "./components/form.tsx";
import { ConsoleShell, Shell } from "./components/layout.tsx";
import { Row, Rows, Setting, Tag } from "./components/lists.tsx";
import { CONFIRM_CHANNELS_FIELD } from "./fields.ts";
import { showPage } from "./html.tsx";
import { refusedParts } from "./problem-messages.ts";
import type { AskChannels } from "./refusal-pages.ts";
import { type SignedInUserDeps, signedInUser } from "./signed-in-user.ts";
import { useView } from "./view.tsx";

/** Fields that the form of the question adds itself. */
const OWN_FIELDS: readonly string[] = [CSRF_FIELD, ORGANIZATION_FIELD, CONFIRM_CHANNELS_FIELD];

export function channelQuestions(deps: SignedInUserDeps): AskChannels {
  return async (reply, { caller, client, formPage, parameters, request }) => {
    const { refused } = reply;
    if (!refused?.channels || !caller) return reply;
    const { profile, view } = await signedInUser(deps, { caller, client, formPage });
    const path = pathOf(request);
    const fields = [...parameters].filter(([name]) => !OWN_FIELDS.includes(name));
    const Frame = path.startsWith("/admin") && profile.platformRole !== null ? ConsoleShell : Shell;
    const body = (
      <Frame at={undefined} profile={profile}>
        <ChannelQuestion channels={refused.channels} path={path} fields={fields} />
      </Frame>
    );
    return showPage(view, { title: view.t.channels.title, body, ...refusedParts(refused) });
  };
}

interface QuestionProps {
  readonly channels: readonly NamedChannel[];
  /** The page of the refused form. */
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
}

function ChannelQuestion({ channels, path, fields }: QuestionProps) {
  const { t } = useView();
  const { action, note, text, title } = t.channels;
  return (
    <div class="panel stack" data-question>
      <h1>{title}</h1>
      <p>{text}</p>
      <ChannelRows channels={channels} />
      {channels.some(({ kind }) => kind === "linked_identity") && <p class="soft">{note}</p>}
      <Form action={path} class="stack">
        {fields.map(([name, value], index) => (
          <input key={`${name}/${index}`} type="hidden" name={name} value={value} />
        ))}
        <div class="acts">
          <a class="button" href={path} data-cancel autofocus>
            {t.common.cancel}
          </a>
          <Button kind="loss" name={CONFIRM_CHANNELS_FIELD} value="true">
            {action}
          </Button>
        </div>
      </Form>
    </div>
  );
}

function ChannelRows({ channels }: Pick<QuestionProps, "channels">) {
  const { t } = useView();
  return (
    <Rows>
      {channels.map(({ kind, id, name, person }) => (
        <Row key={`${kind}/${id}/${person?.id}`} title={name} details={t.channels.kinds[kind]}>
          <Tag>{person?.name ?? t.channels.deletedAccount}</Tag>
        </Row>
      ))}
    </Rows>
  );
}

/** Who else has access to an account, before a grant to the member. */
export function AccountChannels({ channels }: Pick<QuestionProps, "channels">) {
  const { t } = useView();
  if (channels.length === 0) return null;
  return (
    <Setting title={t.channels.holders} lead={t.channels.holdersLead}>
      <ChannelRows channels={channels} />
    </Setting>
  );
}

/** Who is responsible for the ways of a grant, before the grant. */
export function GrantChannels({ channels }: Pick<QuestionProps, "channels">) {
  const { t } = useView();
  if (channels.length === 0) return null;
  return (
    <Setting title={t.channels.responsible} lead={t.channels.responsibleLead}>
      <ChannelRows channels={channels} />
    </Setting>
  );
}
