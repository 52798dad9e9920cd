import { confirmPath } from "../action.ts";
import { Button, Form } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Row, Rows, Setting, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { linkCompany, unlinkCompany } from "./actions.ts";
import { SECURITY, type SecurityViewModel } from "./view-model.ts";

/** The company accounts that sign the user in to the session's organization. */
export function CompanyAccountSection({
  viewModel: { companyAccounts, linkable },
}: {
  readonly viewModel: SecurityViewModel;
}) {
  const { t } = useView();
  if (companyAccounts.length === 0 && linkable.length === 0) return null;
  const { lead, link, notLinked, title } = t.companyAccounts;
  return (
    <Setting title={title} lead={lead} id="company-accounts">
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
            <a class="button bad" href={confirmPath(SECURITY, unlinkCompany, { id })} data-confirm="yes">
              {t.security.unlink}
            </a>
          </Row>
        ))}
        {linkable.map(({ id, name }) => (
          <Row
            key={id}
            tile={
              <span class="tile">
                <Icon name="building" />
              </span>
            }
            title={name}
            details={notLinked}
          >
            <Form action={SECURITY}>
              <input type="hidden" name="id" value={id} />
              <Button name="step" value={linkCompany.step} label={`${link}: ${name}`}>
                {link}
              </Button>
            </Form>
          </Row>
        ))}
      </Rows>
    </Setting>
  );
}
