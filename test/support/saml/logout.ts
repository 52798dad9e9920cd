/** Logout messages of an identity provider by SAML whose responses a test writes. */
import { createSign, createVerify, X509Certificate } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type SamlKey, samlKeys } from "./keys.ts";
import { IDP } from "./message.ts";
import { RSA_SHA256, type SignOptions, sign } from "./sign.ts";

export const SLO_URL = "https://idp.acme.example/saml/slo";
const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

let messages = 0;
const nextId = () => {
  messages += 1;
  return `_logout-${process.pid}-${messages}`;
};
const now = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

export interface LogoutParts {
  readonly id?: string;
  readonly issuer?: string;
  readonly destination?: string | null;
  readonly issueInstant?: string;
  readonly notOnOrAfter?: string;
  /** XML in place of the NameID. */
  readonly name?: string;
  readonly sessionIndexes?: readonly string[];
  /** XML before the end of the message. */
  readonly extra?: string;
}

/** A LogoutRequest about a NameID to the address of a connection. */
export function logoutRequestText(sloUrl: string, nameId: string, parts: LogoutParts = {}): string {
  const { id = nextId(), issuer = IDP, destination = sloUrl, issueInstant = now(-2), sessionIndexes = [] } = parts;
  const to = destination === null ? "" : ` Destination="${destination}"`;
  const end = parts.notOnOrAfter === undefined ? "" : ` NotOnOrAfter="${parts.notOnOrAfter}"`;
  const indexes = sessionIndexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join("");
  const name = parts.name ?? `<saml:NameID>${nameId}</saml:NameID>`;
  return [
    `<samlp:LogoutRequest ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${issueInstant}"${to}${end}>`,
    `<saml:Issuer>${issuer}</saml:Issuer>${name}${indexes}${parts.extra ?? ""}</samlp:LogoutRequest>`,
  ].join("");
}

/** A LogoutResponse to a request of the service. */
export function logoutResponseText(
  sloUrl: string,
  inResponseTo: string,
  { status = SUCCESS, issuer = IDP }: { readonly status?: string; readonly issuer?: string } = {},
): string {
  return [
    `<samlp:LogoutResponse ${NAMESPACES} ID="${nextId()}" Version="2.0" IssueInstant="${now(-2)}"`,
    ` Destination="${sloUrl}" InResponseTo="${inResponseTo}"><saml:Issuer>${issuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status></samlp:LogoutResponse>`,
  ].join("");
}

type Parameter = "SAMLRequest" | "SAMLResponse";

export interface QueryOptions {
  readonly parameter?: Parameter;
  readonly relayState?: string;
  readonly key?: SamlKey;
  readonly algorithm?: string;
  readonly isSigned?: boolean;
}

/** The query of a message by the redirect binding. */
export function logoutQuery(xml: string, options: QueryOptions = {}): string {
  const { parameter = "SAMLRequest", key = samlKeys.idp(), algorithm = RSA_SHA256, isSigned = true } = options;
  const { relayState } = options;
  const parts = [
    `${parameter}=${encodeURIComponent(deflateRawSync(xml).toString("base64"))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    ...(isSigned ? [`SigAlg=${encodeURIComponent(algorithm)}`] : []),
  ].join("&");
  if (!isSigned) return parts;
  const signature = createSign("sha256").update(parts).sign(key.key).toString("base64");
  return `${parts}&Signature=${encodeURIComponent(signature)}`;
}

/** The form of a message by the POST binding, signed unless `signing` is null. */
export function logoutForm(xml: string, signing: SignOptions | null = {}): Record<string, string> {
  const name = xml.includes("<samlp:LogoutRequest") ? "LogoutRequest" : "LogoutResponse";
  const signed = signing === null ? xml : sign(xml, name, signing);
  const value = Buffer.from(signed).toString("base64");
  return name === "LogoutRequest" ? { SAMLRequest: value } : { SAMLResponse: value };
}

export interface ReceivedMessage {
  readonly xml: string;
  readonly relayState: string | null;
  /** The address without the message. */
  readonly destination: string;
  /** Whether the query has a valid signature of a certificate of the service. */
  readonly isSignedBy: (certificate: string) => boolean;
}

/** A message of the service by the redirect binding. */
export function readMessage(location: string): ReceivedMessage {
  const url = new URL(location);
  const parameter = url.searchParams.has("SAMLRequest") ? "SAMLRequest" : "SAMLResponse";
  const query = location.slice(location.indexOf(`${parameter}=`));
  const [signed = "", signature = ""] = query.split("&Signature=");
  return {
    xml: inflateRawSync(Buffer.from(url.searchParams.get(parameter) ?? "", "base64")).toString(),
    relayState: url.searchParams.get("RelayState"),
    destination: location.slice(0, location.indexOf(`${parameter}=`) - 1),
    isSignedBy: (certificate) =>
      createVerify("sha256")
        .update(signed)
        .verify(
          new X509Certificate(Buffer.from(certificate, "base64")).publicKey,
          decodeURIComponent(signature),
          "base64",
        ),
  };
}
