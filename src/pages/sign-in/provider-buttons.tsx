import { ProviderMark } from "../components/provider-mark.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";

/** From this number on, the buttons have two columns and the names alone. */
const COLUMNS_FROM = 3;

interface ProviderButtonsProps {
  readonly providers: readonly string[];
  /** The page after the sign-in. */
  readonly to: string;
  /** The method of the last sign-in in this browser. */
  readonly lastMethod?: string | undefined;
}

/** The enabled identity providers, for the sign-in and for the registration. */
export function ProviderButtons({ providers, to, lastMethod }: ProviderButtonsProps) {
  const { t, site } = useView();
  const { routePrefix } = site.config.urls;
  if (providers.length === 0) return null;
  const inColumns = providers.length >= COLUMNS_FROM;
  return (
    <div class={inColumns ? "cols few" : "stack near"}>
      {providers.map((key) => {
        const name = site.identityProviders.name(key);
        return (
          <a
            key={key}
            class="button wide"
            href={pathWith(`${routePrefix}/auth/oauth/${key}/start`, { redirect_to: to })}
            rel="nofollow"
            aria-label={inColumns ? t.signIn.continueWith({ provider: name }) : undefined}
          >
            <ProviderMark provider={key} />
            {inColumns ? name : t.signIn.continueWith({ provider: name })}
            <LastUsed method={key} lastMethod={lastMethod} />
          </a>
        );
      })}
    </div>
  );
}

interface LastUsedProps {
  readonly method: string;
  readonly lastMethod: string | undefined;
}

/** Marks the method of the last sign-in in this browser. */
export function LastUsed({ method, lastMethod }: LastUsedProps) {
  const { t } = useView();
  return method === lastMethod ? <span class="tag on">{t.signIn.lastUsed}</span> : null;
}
