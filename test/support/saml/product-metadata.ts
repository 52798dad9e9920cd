/** Metadata in the forms of products, with invented values. */
import { samlKeys } from "./keys.ts";

const DS = "http://www.w3.org/2000/09/xmldsig#";
const MD = "urn:oasis:names:tc:SAML:2.0:metadata";
const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:";

const base64 = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");
const inLines = (text: string, indent: string) => text.replace(/(.{64})/g, `$1\n${indent}`);

/** The documents by product. Each has one key for signatures, and the sign-on service by redirect. */
export function productMetadata(): Readonly<Record<string, string>> {
  const key = base64(samlKeys.idp().certificate);
  const encryption = base64(samlKeys.service().certificate);
  const x509 = (p: string, text: string) =>
    `<${p}KeyInfo xmlns${p === "" ? "" : ":ds"}="${DS}"><${p}X509Data><${p}X509Certificate>${text}</${p}` +
    `X509Certificate></${p}X509Data></${p}KeyInfo>`;
  const services = (p: string, url: string) =>
    ["HTTP-POST", "HTTP-Redirect"]
      .map((each) => `<${p}SingleSignOnService Binding="${BINDING}${each}" Location="${url}"/>`)
      .join("");
  const signing = (p: string, info: string) => `<${p}KeyDescriptor use="signing">${info}</${p}KeyDescriptor>`;
  return {
    "AD FS":
      `\ufeff<EntityDescriptor ID="_6d1f" entityID="http://adfs.acme.example/adfs/services/trust" xmlns="${MD}">` +
      `<RoleDescriptor xsi:type="fed:ApplicationServiceType" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
      `xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" ` +
      `protocolSupportEnumeration="http://docs.oasis-open.org/ws-sx/ws-trust/200512">` +
      `${signing("", x509("", encryption))}</RoleDescriptor>` +
      `<SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">` +
      `${signing("", x509("", encryption))}</SPSSODescriptor>` +
      `<IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}"><KeyDescriptor use="encryption">` +
      `${x509("", encryption)}</KeyDescriptor>` +
      `${signing("", x509("", key))}${services("", "https://adfs.acme.example/adfs/ls/")}` +
      `<Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress" ` +
      `xmlns="urn:oasis:names:tc:SAML:2.0:assertion"/>` +
      `</IDPSSODescriptor></EntityDescriptor>`,
    "Entra ID":
      `\ufeff<?xml version="1.0" encoding="utf-8"?>` +
      `<EntityDescriptor ID="_8a" entityID="https://sts.windows.net/4f2c/" xmlns="${MD}">` +
      `<IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">${signing("", x509("", key))}` +
      `${services("", "https://login.microsoftonline.com/4f2c/saml2")}</IDPSSODescriptor></EntityDescriptor>`,
    Okta:
      `<?xml version="1.0" encoding="UTF-8"?>` +
      `<md:EntityDescriptor entityID="http://www.okta.com/exk1" xmlns:md="${MD}">` +
      `<md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${PROTOCOL}">` +
      `${signing("md:", x509("ds:", inLines(key, "")))}<md:NameIDFormat>` +
      `urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>` +
      `${services("md:", "https://acme.okta.example/app/x/exk1/sso/saml")}</md:IDPSSODescriptor>` +
      `</md:EntityDescriptor>`,
    Google:
      `<?xml version="1.0" encoding="UTF-8" standalone="no"?><md:EntityDescriptor xmlns:md="${MD}` +
      `" entityID="https://accounts.google.com/o/saml2?idpid=C0" ` +
      `validUntil="2040-01-01T00:00:00.000Z">` +
      `<md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${PROTOCOL}">` +
      `${signing("md:", x509("ds:", inLines(key, "")))}` +
      `${services("md:", "https://accounts.google.com/o/saml2/idp?idpid=C0")}</md:IDPSSODescriptor>` +
      `</md:EntityDescriptor>`,
    OneLogin:
      `<?xml version="1.0"?><EntityDescriptor xmlns="${MD}` +
      `" entityID="https://app.onelogin.example/saml/metadata/1">` +
      `<IDPSSODescriptor xmlns:ds="${DS}" protocolSupportEnumeration="${PROTOCOL}">` +
      `${signing("", x509("ds:", inLines(key, "")))}` +
      `${services("", "https://acme.onelogin.example/trust/saml2/http-redirect/sso/1")}</IDPSSODescriptor>` +
      `</EntityDescriptor>`,
    Auth0:
      `<EntityDescriptor entityID="urn:acme.auth0.example" xmlns="${MD}">` +
      `<IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">` +
      `${signing("", x509("", key))}${services("", "https://acme.auth0.example/samlp/1")}` +
      `<Attribute xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ` +
      `Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name"/>` +
      `</IDPSSODescriptor></EntityDescriptor>`,
    Shibboleth:
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- example metadata only -->\n<EntityDescriptor xmlns="${MD}` +
      `" xmlns:ds="${DS}" ` +
      `xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" validUntil="2040-01-01T00:00:00.123Z" ` +
      `entityID="https://idp.acme.example/idp/shibboleth">` +
      `<IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}` +
      ` urn:oasis:names:tc:SAML:1.1:protocol urn:mace:shibboleth:1.0">` +
      `<Extensions><shibmd:Scope regexp="false">acme.example</shibmd:Scope></Extensions>` +
      `<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${inLines(key, "    ")}\n` +
      `</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>` +
      `<KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${encryption}` +
      `</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>` +
      `${services("", "https://idp.acme.example/idp/profile/SAML2/Redirect/SSO")}</IDPSSODescriptor>` +
      `</EntityDescriptor>`,
    SimpleSAMLphp:
      `<?xml version="1.0" encoding="utf-8"?><md:EntityDescriptor xmlns:md="${MD}" xmlns:ds="${DS}` +
      `" entityID="https://idp.acme.example/simplesaml/saml2/idp/metadata.php">` +
      `<md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">${signing("md:", x509("ds:", key))}` +
      `<md:KeyDescriptor use="encryption">${x509("ds:", key)}</md:KeyDescriptor>` +
      `${services("md:", "https://idp.acme.example/simplesaml/saml2/idp/SSOService.php")}` +
      `</md:IDPSSODescriptor><md:ContactPerson contactType="technical"><md:EmailAddress>` +
      `mailto:na@acme.example</md:EmailAddress></md:ContactPerson></md:EntityDescriptor>`,
  };
}

/** A form of metadata that the schema permits. */
export interface OddForm {
  readonly space: string;
  readonly prefix: string;
  /** Certificates without use. */
  readonly unusable: readonly string[];
  readonly use: string;
  readonly isLast: boolean;
  readonly hasGood: boolean;
  readonly extra: string;
}

export function oddMetadata({ space, prefix, unusable, use, isLast, hasGood, extra }: OddForm): string {
  const p = prefix === "" ? "" : `${prefix}:`;
  const keyOf = (text: string) =>
    `<${p}KeyDescriptor${use}>${space}<KeyInfo xmlns="${DS}"><X509Data><X509Certificate>${text}` +
    `</X509Certificate></X509Data></KeyInfo></${p}KeyDescriptor>`;
  const good = hasGood ? [base64(samlKeys.idp().certificate)] : [];
  const keys = (isLast ? [...unusable, ...good] : [...good, ...unusable]).map(keyOf).join(space);
  return (
    `${space}<?xml version="1.0"?>${space}<${p}EntityDescriptor xmlns${prefix === "" ? "" : `:${prefix}`}="` +
    `${MD}" entityID="${space}https://odd.example${space}">` +
    `${extra}<${p}IDPSSODescriptor protocolSupportEnumeration="urn:x ${PROTOCOL}">${keys}${space}` +
    `<${p}SingleSignOnService Binding="${BINDING}HTTP-Redirect" Location="${space}https://odd.example/sso` +
    `${space}"/>` +
    `</${p}IDPSSODescriptor></${p}EntityDescriptor>`
  );
}
