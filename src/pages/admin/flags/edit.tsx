import type { Refusal } from "../../../base/problem.ts";
import type { Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { nameIds } from "../../../flows/audit/name-parties.ts";
import { putDisplayedFlag, readFeatureFlag } from "../../../flows/feature-flags/administer.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { FlagBody } from "../../../http/schemas/admin.ts";
import type { FeatureFlag } from "../../../models/feature-flag/feature-flag.ts";
import { Check } from "../../components/check.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { ItemHead, SubPageHead } from "../../components/item-head.tsx";
import { Row, Rows, Setting } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { Details } from "../../components/table.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, pathWith, seeResult } from "../../page.ts";
import { changedForm, refusedForm, refusedParts } from "../../problem-messages.ts";
import { displayedVersionIn, versionOf } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { ORGANIZATIONS } from "../organizations/page.tsx";
import { FLAGS, FlagTag } from "./page.tsx";

const PATH = "/admin/flags/edit";
/** Maximum number of organizations on each displayed list. */
const ORGANIZATIONS_DISPLAYED = 50;

interface FlagProps {
  /** Undefined: a new flag. */
  readonly flag: FeatureFlag | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly acts: boolean;
  readonly state: FormState;
}

function FlagForm(props: FlagProps) {
  const { t } = useView();
  const { flag, names, acts } = props;
  return (
    <>
      {flag ? (
        <ItemHead list={{ path: FLAGS, title: t.flags.title }} name={flag.key} mono tags={<FlagTag flag={flag} />} />
      ) : (
        <SubPageHead above={[{ href: FLAGS, text: t.flags.title }]} title={t.flags.create} />
      )}
      {acts ? <EditForm {...props} /> : flag && <FlagDetails flag={flag} />}
      {flag && (
        <Setting title={t.flags.overrides} lead={t.flags.overrideHint}>
          <Rows>
            <Row title={t.flags.alwaysOn} details={<Exceptions ids={flag.onOrganizations} names={names} />} />
            <Row title={t.flags.alwaysOff} details={<Exceptions ids={flag.offOrganizations} names={names} />} />
          </Rows>
        </Setting>
      )}
    </>
  );
}

function FlagDetails({ flag: { description, rolloutPercent } }: { readonly flag: FeatureFlag }) {
  const { t, dates } = useView();
  return (
    <>
      <p>{description}</p>
      <Details details={[[t.flags.rolloutColumn, dates.percent(rolloutPercent)]]} />
    </>
  );
}

function EditForm({ flag, state }: FlagProps) {
  const { t } = useView();
  return (
    <Setting title={t.organizations.settings} lead={t.flags.lead}>
      <Problem state={state} current={pathWith(PATH, { key: flag?.key })} />
      <Form action={PATH} class="panel stack">
        <input type="hidden" name="version" value={state.values?.version ?? versionOf(flag?.updatedAt)} />
        {flag ? (
          <input type="hidden" name="key" value={flag.key} />
        ) : (
          <Field name="key" label={t.flags.key} hint={t.flags.keyHint} state={state} maxlength={64} autofocus />
        )}
        <Field
          name="description"
          label={t.flags.description}
          state={state}
          value={flag?.description ?? ""}
          maxlength={500}
          optional
        />
        <Check name="enabled" label={t.flags.enabled} state={state} checked={flag?.enabled ?? false} />
        <Field
          name="rollout_percent"
          type="number"
          min={0}
          max={100}
          label={t.flags.rollout}
          hint={t.flags.rolloutHint}
          state={state}
          value={String(flag?.rolloutPercent ?? 100)}
        />
        <Actions cancel={FLAGS}>
          <Button kind="primary">{t.common.save}</Button>
        </Actions>
      </Form>
    </Setting>
  );
}

interface ExceptionsProps {
  readonly ids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

function Exceptions({ ids, names }: ExceptionsProps) {
  const { t } = useView();
  if (ids.length === 0) return <>{t.console.none}</>;
  return (
    <>
      {ids.slice(0, ORGANIZATIONS_DISPLAYED).map((id, index) => (
        <>
          {index > 0 && " · "}
          {names.has(id) ? <a href={`${ORGANIZATIONS}/${id}`}>{names.get(id)}</a> : t.flags.gone}
        </>
      ))}
      {ids.length > ORGANIZATIONS_DISPLAYED && ` ${t.flags.more({ count: ids.length - ORGANIZATIONS_DISPLAYED })}`}
    </>
  );
}

type FlagDeps = SignedInUserDeps & Pick<Deps, "reads" | "featureFlags">;
const validateBody = bodyValidator(FlagBody);

/** `/admin/flags/edit`: the flag with the given `key`, or a new flag. */
export function flagPage(deps: FlagDeps): Page {
  const show = async (call: ConsoleCall, key: string, state: FormState, parts: DisplayedParts = {}) => {
    const { admin: caller, view } = call;
    const found = key === "" ? undefined : await readFeatureFlag(deps, caller, key);
    if (found && !found.ok) return refuseConsole(call, found.error, FLAGS);
    const flag = found?.value;
    const displayed = flag
      ? [
          ...flag.onOrganizations.slice(0, ORGANIZATIONS_DISPLAYED),
          ...flag.offOrganizations.slice(0, ORGANIZATIONS_DISPLAYED),
        ]
      : [];
    const { organizations: names } = await nameIds(deps, caller, [], displayed);
    const done = call.result === "saved" && !parts.refused ? view.t.flags.saved : undefined;
    const body = <FlagForm flag={flag} names={names} acts={mayAct(caller)} state={state} />;
    return showConsole(call, {
      at: FLAGS,
      inside: true,
      title: flag?.key ?? view.t.flags.create,
      body,
      done,
      ...parts,
    });
  };
  return consolePage(deps, {
    path: PATH,
    get: (call) => show(call, call.query.text("key"), {}),
    async post(call) {
      const { form, admin } = call;
      const saved = await save(deps, call);
      if (saved.ok) return seeResult(pathWith(PATH, { key: saved.value.key }), "saved");
      const known = isNew(call) ? undefined : await readFeatureFlag(deps, admin, form.text("key"));
      const flag = known?.ok ? known.value : undefined;
      return await show(call, flag?.key ?? "", refusedFlag(call, saved.error, flag), refusedParts(saved.error));
    },
  });
}

/** The form of a new flag: an existing flag is never changed. */
function isNew({ form }: ConsoleCall): boolean {
  return displayedVersionIn(form) === "none";
}

async function save(
  deps: FlagDeps,
  { admin: caller, form, client }: ConsoleCall,
): Promise<Result<FeatureFlag, Refusal<"conflict" | "invalid_input">>> {
  const percent = form.text("rollout_percent");
  const valid = validateBody({
    key: form.text("key"),
    description: form.text("description"),
    enabled: form.text("enabled") === "yes",
    rollout_percent: percent === "" ? undefined : Number(percent),
  });
  if (!valid.ok) return valid;
  const { key, description, enabled, rollout_percent: rolloutPercent } = valid.value;
  const lists = { onOrganizations: undefined, offOrganizations: undefined };
  const displayed = displayedVersionIn(form);
  return await putDisplayedFlag(deps, {
    caller,
    key,
    description,
    enabled,
    rolloutPercent,
    ...lists,
    displayed,
    client,
  });
}

/** `flag`: the stored flag. */
function refusedFlag({ view, form }: ConsoleCall, refusal: Refusal, flag: FeatureFlag | undefined): FormState {
  const { keyRule, descriptionRule, rolloutRule, full, exists } = view.t.flags;
  const names = ["key", "description", "enabled", "rollout_percent", "version"];
  const values = Object.fromEntries(names.map((name) => [name, form.text(name)]));
  if (refusal.reason === "flag_exists") return { values, errors: { key: exists } };
  if (refusal.reason === "changed_meanwhile" && flag) return changedForm(view, values, valuesOf(flag));
  const fieldTexts = { key: keyRule, description: descriptionRule, rollout_percent: rolloutRule };
  return refusedForm(view, refusal, values, { conflict: full }, fieldTexts);
}

function valuesOf({ description, enabled, rolloutPercent }: FeatureFlag): Record<string, string> {
  return { description, enabled: enabled ? "yes" : "", rollout_percent: String(rolloutPercent) };
}
