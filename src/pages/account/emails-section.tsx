import type { ComponentChildren } from "preact";
import { USER_EMAILS_MAX } from "../../limits/user-email-limits.ts";
import type { UserEmail } from "../../models/user-email/user-email.ts";
import { Tile } from "../components/icon.tsx";
import { Row, Rows, Setting, Tag } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { addAddress, changeAddress, makeAddressPrimary, removeOwnAddress } from "./email-actions.ts";
import { EMAILS, type OwnEmails } from "./own-emails.ts";

/** The addresses of the user, with the actions of each address. */
export function EmailsSection({ emails, verified }: { readonly emails: OwnEmails; readonly verified: boolean }) {
  const { t } = useView();
  const { items, pending } = emails;
  return (
    <Setting title={t.emails.title} lead={t.emails.lead} id="emails">
      <Rows>
        {items.map((email) => (
          <EmailRow key={email.id} email={email} />
        ))}
        {pending && (
          <Row
            tile={<Tile name="mail" />}
            title={<Address text={pending} tag={<Tag>{t.account.unverified}</Tag>} />}
            details={t.emails.pendingChange}
          />
        )}
        <li>
          <a class="button" href={pathWith(EMAILS, { step: changeAddress.step })}>
            {t.emails.change}
          </a>
          {verified && items.length < USER_EMAILS_MAX && (
            <a class="button" href={pathWith(EMAILS, { step: addAddress.step })}>
              {t.emails.add}
            </a>
          )}
        </li>
      </Rows>
    </Setting>
  );
}

function Address({ text, tag }: { readonly text: string; readonly tag: ComponentChildren }) {
  return (
    <>
      {text} {tag}
    </>
  );
}

function EmailRow({ email: { id, email, primary, verifiedAt } }: { readonly email: UserEmail }) {
  const { t } = useView();
  const state = verifiedAt ? <Tag kind="good">{t.account.verified}</Tag> : <Tag>{t.account.unverified}</Tag>;
  const tag = primary ? (
    <>
      <Tag kind="on">{t.emails.primary}</Tag> {state}
    </>
  ) : (
    state
  );
  const unverified = primary ? t.account.unverifiedDetails : t.emails.pendingAddition;
  const details = primary ? t.emails.primaryDetails : t.account.emailDetails;
  return (
    <Row
      tile={<Tile name="mail" />}
      title={<Address text={email} tag={tag} />}
      details={verifiedAt ? details : unverified}
    >
      {primary && !verifiedAt && (
        <a class="button" href="/verify-email">
          {t.account.verify}
        </a>
      )}
      {!primary && (
        <div class="actions">
          {verifiedAt && (
            <a
              class="button"
              href={pathWith(EMAILS, { step: makeAddressPrimary.step, id })}
              aria-label={t.emails.makePrimaryOf({ email })}
            >
              {t.emails.makePrimary}
            </a>
          )}
          <a
            class="button bad"
            href={pathWith(EMAILS, { step: removeOwnAddress.step, id })}
            aria-label={t.emails.removeTitle({ email })}
          >
            {t.common.remove}
          </a>
        </div>
      )}
    </Row>
  );
}
