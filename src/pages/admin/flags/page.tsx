import { clampPage, type Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listFeatureFlags } from "../../../flows/feature-flags/administer.ts";
import type { FeatureFlag } from "../../../models/feature-flag/feature-flag.ts";
import { Pages, Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { type Page, pageNumber, pathWith } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";

export const FLAGS = "/admin/flags";
const PER_PAGE = 25;

function FlagsBody({ listing, acts }: { readonly listing: Listing<FeatureFlag>; readonly acts: boolean }) {
  const { t } = useView();
  const { key, rolloutColumn, overrides, changed } = t.flags;
  return (
    <>
      <header class="head">
        <h1>{t.flags.title}</h1>
        <p class="soft">{t.flags.lead}</p>
      </header>
      {acts && (
        <p>
          <a class="button primary" href={`${FLAGS}/edit`}>
            {t.flags.create}
          </a>
        </p>
      )}
      {listing.total === 0 ? (
        <p class="empty soft">{t.flags.none}</p>
      ) : (
        <Table label={t.flags.title} columns={[key, t.console.status, rolloutColumn, overrides, changed]}>
          {listing.items.map((flag) => (
            <FlagRow key={flag.key} flag={flag} />
          ))}
        </Table>
      )}
      <Pages {...listing} path={FLAGS} />
    </>
  );
}

function FlagRow({ flag }: { readonly flag: FeatureFlag }) {
  const { t, dates } = useView();
  const { key, description, enabled, rolloutPercent, onOrganizations, offOrganizations, updatedAt } = flag;
  const [on, off] = [onOrganizations.length, offOrganizations.length];
  return (
    <tr>
      <Cell>
        <a class="whole mono" href={pathWith(`${FLAGS}/edit`, { key })}>
          {key}
        </a>
        {description && <small>{description}</small>}
      </Cell>
      <Cell label={t.console.status}>
        {enabled ? <Tag kind="good">{t.flags.on}</Tag> : <Tag kind="plain">{t.flags.off}</Tag>}
      </Cell>
      <Cell label={t.flags.rolloutColumn}>
        <span class="num">{rolloutPercent} %</span>
      </Cell>
      <Cell label={t.flags.overrides}>
        {on + off > 0 ? (
          dates.list([t.flags.overridesOn(on), t.flags.overridesOff(off)])
        ) : (
          <span class="soft">{t.console.none}</span>
        )}
      </Cell>
      <Cell label={t.flags.changed}>
        <Time at={updatedAt} />
      </Cell>
    </tr>
  );
}

/** `/admin/flags`: the feature flags of the platform, by key. */
export function flagsPage(deps: SignedInUserDeps & Pick<Deps, "database">): Page {
  return consolePage(deps, {
    path: FLAGS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const listed = await listFeatureFlags(deps, { caller, page: clampPage(pageNumber(query), PER_PAGE) });
      if (!listed.ok) return listed.error;
      const body = <FlagsBody listing={listed.value} acts={mayAct(caller)} />;
      return showConsole(call, { at: FLAGS, title: view.t.flags.title, body });
    },
  });
}
