import { Icon } from "../components/icon.tsx";
import { Row, Rows, Setting, Time } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { SECURITY, type SecurityViewModel } from "./view-model.ts";

/** The company accounts that sign the user in to the session's organization. */
export function CompanyAccountSection({ viewModel: { companyAccounts } }: { readonly viewModel: SecurityViewModel }) {
  const { t } = useView();
  if (companyAccounts.length === 0) return null;
  const { lead, title } = t.companyAccounts;
  return (
    <Setting title={title} lead={lead}>
      <Rows>
        {companyAccounts.map(({ id, email, lastUsedAt }) => (
          <Row
            key={id}
            tile={
              <span class="tile">
                <Icon name="building" />
              </span>
            }
            title={email}
            details={
              <>
                {t.security.used} <Time at={lastUsedAt} />
              </>
            }
          >
            <a
              class="button bad"
              href={pathWith(`${SECURITY}/confirm`, { step: "unlink-company", id })}
              data-confirm="yes"
            >
              {t.security.unlink}
            </a>
          </Row>
        ))}
      </Rows>
    </Setting>
  );
}
