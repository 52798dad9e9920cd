import { PROVIDER_NAMES } from "../../flows/social-sign-in/start.ts";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";

interface ProviderButtonsProps {
  readonly providers: readonly string[];
  /** The page after the sign-in. */
  readonly to: string;
}

/** The enabled identity providers, for the sign-in and for the registration. */
export function ProviderButtons({ providers, to }: ProviderButtonsProps) {
  const { t, site } = useView();
  const { routePrefix } = site.config.urls;
  return (
    <>
      {providers.map((key) => (
        <a
          key={key}
          class="button wide"
          href={pathWith(`${routePrefix}/auth/oauth/${key}/start`, { redirect_to: to })}
          rel="nofollow"
        >
          {t.signIn.continueWith(PROVIDER_NAMES[key] ?? key)}
        </a>
      ))}
    </>
  );
}
