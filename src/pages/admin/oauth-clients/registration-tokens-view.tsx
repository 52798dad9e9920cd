import { REGISTRATION_TOKEN_DAYS_MAX, REGISTRATION_TOKEN_USES_MAX } from "../../../limits/oauth-limits.ts";
import type { RegistrationToken } from "../../../models/oauth-client/registration-token.ts";
import { confirmPath } from "../../action.ts";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { Cell, MenuCell, Table } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { CLIENTS, REGISTRATION_TOKENS } from "./paths.ts";
import { createRegistrationToken, deleteToken } from "./registration-token-actions.tsx";

interface BodyProps {
  readonly tokens: readonly RegistrationToken[];
  readonly mode: "off" | "open" | "token";
  /** Unix milliseconds. */
  readonly now: number;
  readonly acts: boolean;
  readonly state: FormState;
  readonly needsStepUp: boolean;
}

export function RegistrationTokensBody({ tokens, mode, now, acts, state, needsStepUp }: BodyProps) {
  const { t } = useView();
  const { title, lead, leadOff, leadOpen, none, name, used, expires } = t.registration;
  const leads = { off: leadOff, open: leadOpen, token: lead };
  return (
    <>
      <SubPageHead above={[{ href: CLIENTS, text: t.clients.title }]} title={title} lead={leads[mode]} />
      {tokens.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <Table label={title} columns={[name, used, expires]} actions={acts ? t.directory.actions : undefined}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} now={now} acts={acts} />
          ))}
        </Table>
      )}
      {acts && <NewToken state={state} needsStepUp={needsStepUp} />}
    </>
  );
}

interface TokenRowProps {
  readonly token: RegistrationToken;
  readonly now: number;
  readonly acts: boolean;
}

function TokenRow({ token, now, acts }: TokenRowProps) {
  const { t } = useView();
  const { used, uses, expires, ended, remove } = t.registration;
  const { id, name, expiresAt } = token;
  return (
    <tr>
      <Cell>
        <strong>{name}</strong>
      </Cell>
      <Cell label={used}>
        <span class="num">{uses({ uses: String(token.uses), max: String(token.maxUses) })}</span>
      </Cell>
      <Cell label={expires}>
        {expiresAt.getTime() <= now ? <Tag kind="bad">{ended}</Tag> : <Time at={expiresAt} />}
      </Cell>
      {acts && (
        <MenuCell label={t.directory.actionsFor({ name })}>
          <a class="bad" href={confirmPath(REGISTRATION_TOKENS, deleteToken, { id })} data-confirm="yes">
            {remove}
          </a>
        </MenuCell>
      )}
    </tr>
  );
}

function NewToken({ state, needsStepUp }: Pick<BodyProps, "state" | "needsStepUp">) {
  const { t } = useView();
  const { create, name, nameHint, maxUses, maxUsesHint, days, daysHint, createAction } = t.registration;
  return (
    <section class="stack">
      <h2>{create}</h2>
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={REGISTRATION_TOKENS} />
      <Form action={REGISTRATION_TOKENS} class="panel stack">
        <Field name="name" label={name} hint={nameHint} state={state} maxlength={120} />
        <Field
          name="max_uses"
          type="number"
          min={1}
          max={REGISTRATION_TOKEN_USES_MAX}
          label={maxUses}
          hint={maxUsesHint}
          state={state}
        />
        <Field
          name="expires_in_days"
          type="number"
          min={1}
          max={REGISTRATION_TOKEN_DAYS_MAX}
          label={days}
          hint={daysHint}
          state={state}
        />
        <Actions cancel={CLIENTS}>
          <Button kind="primary" name="step" value={createRegistrationToken.step}>
            {createAction}
          </Button>
        </Actions>
      </Form>
    </section>
  );
}
