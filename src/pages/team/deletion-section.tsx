import { Row, Rows, Setting } from "../components/lists.tsx";
import { hasPower } from "../power.ts";
import { useView } from "../view.tsx";

/** Displayed to members with `organization.delete`. */
export function DeletionSection() {
  const view = useView();
  const { t } = view;
  if (!hasPower(view, "organization.delete")) return null;
  return (
    <Setting title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          <Row title={t.deleteOrganization.open} details={t.deleteOrganization.lead}>
            <a class="button bad" href="/team/delete">
              {t.deleteOrganization.open}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}
