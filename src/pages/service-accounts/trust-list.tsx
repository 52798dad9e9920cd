/** The trusts of a service account, in the card of the account. */
import type { ListedTrust } from "../../models/service-account/trust.ts";
import { Tile } from "../components/icon.tsx";
import { Rows, Tag, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import type { PartProps } from "./parts.tsx";
import { trustPath } from "./place.ts";

export function TrustRows({
  scope: { basePath },
  name,
  trusts,
}: PartProps & { readonly name: string; readonly trusts: readonly ListedTrust[] }) {
  const { t } = useView();
  const { of, none } = t.serviceAccounts.trusts;
  const { off, lastUsedHead, neverUsed } = t.serviceAccounts;
  if (trusts.length === 0) return <p class="empty">{none}</p>;
  return (
    <section aria-label={of({ name })}>
      <Rows>
        {trusts.map((trust) => (
          <li key={trust.id}>
            <Tile name="plug" />
            <div class="what">
              <div>
                <a href={trustPath(basePath, trust)}>
                  <strong>{trust.name}</strong>
                </a>{" "}
                {trust.disabled && <Tag>{off}</Tag>}
              </div>
              <small class="mono">{trust.issuer}</small>
            </div>
            <small class="soft">
              {lastUsedHead}: {trust.lastUsedAt ? <Time at={trust.lastUsedAt} /> : neverUsed}
            </small>
          </li>
        ))}
      </Rows>
    </section>
  );
}
