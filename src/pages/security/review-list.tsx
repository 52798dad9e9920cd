import type { ReviewItem } from "../../flows/steps/credentials/open-review.ts";
import { Row, Rows, Tag, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";

/** What was set up before a reset of the password, newest first. */
export function ReviewList({ items }: { readonly items: readonly ReviewItem[] }) {
  const { t } = useView();
  return (
    <Rows>
      {items.map(({ kind, name, setUpAt, held }) => (
        <Row
          key={`${kind} ${name} ${setUpAt.toISOString()}`}
          title={
            <>
              {name ?? t.accessItems[kind]} {held && <Tag kind="bad">{t.credentialReview.held}</Tag>}
            </>
          }
          details={
            <>
              {name !== null && `${t.accessItems[kind]} · `}
              <Time at={setUpAt} />
            </>
          }
        />
      ))}
    </Rows>
  );
}
