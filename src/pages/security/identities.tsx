import { Button, Form } from "../components/form.tsx";
import { Empty, Row, Rows, Setting, Time } from "../components/lists.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { linkToProvider } from "./actions.ts";
import { UNLINK } from "./unlink.tsx";
import { SECURITY, type SecurityViewModel } from "./view-model.ts";

/** The providers linked to the account, and the enabled providers that can be linked. */
export function IdentitySection({ viewModel: { identities, providers } }: { readonly viewModel: SecurityViewModel }) {
  const { t, site } = useView();
  const nameOf = site.identityProviders.name;
  if (identities.length === 0 && providers.length === 0) return null;
  return (
    <Setting title={t.security.identities} lead={t.security.identitiesLead} id="providers">
      <Rows>
        {identities.map(({ id, provider, label, lastUsedAt }) => (
          <Row
            key={id}
            tile={
              <span class="tile">
                <ProviderMark provider={provider} />
              </span>
            }
            title={nameOf(provider)}
            details={
              <>
                {label && `${label} · `}
                {t.security.used} <Time at={lastUsedAt} />
              </>
            }
          >
            <a
              class="button bad"
              href={pathWith(UNLINK, { id })}
              aria-label={`${t.security.unlink}: ${nameOf(provider)}`}
            >
              {t.security.unlink}
            </a>
          </Row>
        ))}
        {identities.length === 0 && <Empty text={t.security.noIdentities} />}
        {providers.length > 0 && (
          <li>
            {providers.map((provider) => (
              <Form key={provider} action={SECURITY}>
                <input type="hidden" name="provider" value={provider} />
                <Button name="step" value={linkToProvider.step}>
                  {t.security.linkProvider({ provider: nameOf(provider) })}
                </Button>
              </Form>
            ))}
          </li>
        )}
      </Rows>
    </Setting>
  );
}
