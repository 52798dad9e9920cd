import type { PolicyReview } from "../../flows/organization-policies/policies.ts";
import type { Affected } from "../../models/organization-policy/affected-members.ts";
import type { Profile } from "../../models/user/profile.ts";
import { AFFECTING_RULES, type PolicySettings } from "../../vocabulary/policy-settings.ts";
import { Check } from "../components/check.tsx";
import { Button, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Section } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { Cell, Table } from "../components/table.tsx";
import { textAt } from "../page.ts";
import { useView } from "../view.tsx";
import { editPolicies, savePolicies } from "./edit-actions.ts";
import { EDIT_POLICIES, POLICIES } from "./paths.ts";
import { GROUPS, type NamedClients, settingText } from "./setting-texts.ts";

interface ChangesProps {
  readonly from: PolicySettings;
  readonly to: PolicySettings;
  readonly clients: NamedClients;
}

/** The policies that differ, with both values. */
export function ChangesTable({ from, to, clients }: ChangesProps) {
  const view = useView();
  const { names, next, now, policy, unchanged } = view.t.policies;
  const rows = GROUPS.flatMap(([, settings]) => settings)
    .map((name) => [name, settingText(view, from, name, clients), settingText(view, to, name, clients)] as const)
    .filter(([, before, after]) => before !== after);
  if (rows.length === 0) return <p class="soft">{unchanged}</p>;
  return (
    <Table label={policy} columns={[policy, now, next]}>
      {rows.map(([name, before, after]) => (
        <tr key={name}>
          <Cell>
            <strong>{names[name]}</strong>
          </Cell>
          <Cell label={now}>{before}</Cell>
          <Cell label={next}>{after}</Cell>
        </tr>
      ))}
    </Table>
  );
}

interface ReviewProps {
  readonly profile: Profile;
  readonly review: PolicyReview;
  readonly inForce: PolicySettings;
  /** Null: as soon as the user confirms. */
  readonly start: Date | null;
  readonly clients: NamedClients;
  /** The submitted fields, which the confirmation sends again. */
  readonly state: FormState;
  readonly revision: string;
  readonly needsStepUp: boolean;
}

/** The effect of submitted policies, before the user confirms. */
export function ReviewBody(props: ReviewProps) {
  const { t, dates } = useView();
  const { profile, review, inForce, start, clients, state, revision, needsStepUp } = props;
  const { lockOut } = review;
  const { accept, apply, appliesFrom, appliesNow, back, lockOuts, noEmergency, review: title } = t.policies;
  const above = [
    { href: POLICIES, text: t.policies.title },
    { href: EDIT_POLICIES, text: t.policies.change },
  ];
  return (
    <Shell at={POLICIES} profile={profile} inside>
      <SubPageHead above={above} title={title} lead={start ? appliesFrom({ time: dates.minute(start) }) : appliesNow} />
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={EDIT_POLICIES} />
      <ChangesTable from={inForce} to={review.settings} clients={clients} />
      <Effect affected={review.affected} />
      <Form action={EDIT_POLICIES} class="stack">
        <input type="hidden" name="revision" value={revision} />
        {Object.entries(state.values ?? {}).map(([name, value]) =>
          value === "" ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        {lockOut && (
          <div class="panel stack">
            <p class="note bad">{textAt(lockOuts, lockOut.reason ?? "") ?? lockOuts.policy_owners}</p>
            <p>{noEmergency}</p>
            <Check name="confirm" label={accept} state={{}} />
          </div>
        )}
        <div class="actions">
          <Button kind="primary" name="step" value={savePolicies.step}>
            {apply}
          </Button>
          <Button name="step" value={editPolicies.step} unchecked>
            {back}
          </Button>
        </div>
      </Form>
    </Shell>
  );
}

function Effect({ affected: { affected, counts, sessionsEnded, members } }: { readonly affected: Affected }) {
  const { t, dates } = useView();
  const { affected: affectedText, affectedBy, effect, ended, firstMembers, member, unaffected, rules } = t.policies;
  const counted = AFFECTING_RULES.filter((rule) => counts[rule] > 0);
  return (
    <Section title={effect}>
      <p>
        {affected === 0 ? unaffected : affectedText({ count: affected })}{" "}
        {sessionsEnded > 0 && ended({ count: sessionsEnded })}
      </p>
      {counted.length > 0 && (
        <ul>
          {counted.map((rule) => (
            <li key={rule}>
              {rules[rule]}: {dates.number(counts[rule])}
            </li>
          ))}
        </ul>
      )}
      {members.length > 0 && (
        <Table label={effect} columns={[member, affectedBy]}>
          {members.map(({ userId, email, rules: names }) => (
            <tr key={userId}>
              <Cell>{email}</Cell>
              <Cell label={affectedBy}>{names.map((name) => rules[name]).join(" · ")}</Cell>
            </tr>
          ))}
        </Table>
      )}
      {affected > members.length && <p class="soft">{firstMembers}</p>}
    </Section>
  );
}
