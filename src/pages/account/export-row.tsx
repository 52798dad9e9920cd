import { Tile } from "../components/icon.tsx";
import { Row } from "../components/lists.tsx";
import { useView } from "../view.tsx";

/** The row of a list that leads to the copy of the user's data. */
export function ExportRow() {
  const { t } = useView();
  return (
    <Row tile={<Tile name="download" />} title={t.dataExport.request} details={t.deleteAccount.exportDetails}>
      <a class="button" href="/account/export">
        {t.dataExport.request}
      </a>
    </Row>
  );
}
