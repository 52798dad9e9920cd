import { useView } from "../view.tsx";

/** Terms, privacy policy and help of the brand; on a page of a tenant, also the name of the service. */
export function LegalLinks() {
  const { t, brand } = useView();
  const links = [
    { href: brand.terms, text: t.brand.termsLink },
    { href: brand.privacy, text: t.brand.privacyLink },
    { href: brand.support, text: t.brand.supportLink },
  ].flatMap(({ href, text }) => (href === undefined ? [] : [{ href, text }]));
  if (links.length === 0 && brand.provider === undefined) return null;
  return (
    <p class="legal">
      {brand.provider !== undefined && <span>{t.brand.providedBy({ name: brand.provider })}</span>}
      {links.map(({ href, text }) => (
        <a key={text} href={href} rel="noopener">
          {text}
        </a>
      ))}
    </p>
  );
}
