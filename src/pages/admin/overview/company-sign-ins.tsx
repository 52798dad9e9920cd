/** Organizations whose members sign in at an identity provider of the organization. */
import type { CompanySignIn, PlatformFigures } from "../../../flows/platform/overview.ts";
import { Tile } from "../../components/icon.tsx";
import { EmptyBox, Tag } from "../../components/lists.tsx";
import { useView } from "../../view.tsx";
import { organizationPath } from "../organizations/sections.tsx";

export function CompanySignIns({ companySignIns }: Pick<PlatformFigures, "companySignIns">) {
  const { t, dates } = useView();
  const { items, total } = companySignIns;
  return (
    <section class="box" aria-labelledby="company-sign-in">
      <header>
        <h2 id="company-sign-in">{t.firstRun.companySignIn}</h2>
        {total > 0 && <Tag kind="plain">{dates.number(total)}</Tag>}
      </header>
      {total === 0 ? (
        <EmptyBox icon="building" text={t.firstRun.companySignInNone} />
      ) : (
        <ul class="rows">
          {items.map((item) => (
            <OrganizationRow key={item.organization.id} {...item} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OrganizationRow({ organization: { id, name }, connections }: CompanySignIn) {
  const { t, dates } = useView();
  return (
    <li>
      <Tile name="building" />
      <span class="what">
        <strong>{name}</strong>
        <small>{dates.list(connections.map(({ name }) => name))}</small>
      </span>
      <a class="button" href={organizationPath(id, "sso")} aria-label={`${t.console.open}: ${name}`}>
        {t.console.open}
      </a>
    </li>
  );
}
