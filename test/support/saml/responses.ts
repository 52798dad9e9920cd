/** Requests of the service and responses of an identity provider, without a client. */
import { inflateRawSync } from "node:zlib";
import { assertionText, DEFAULT_PARTS, encodeMessage, type MessageParts, responseText } from "./message.ts";
import { type SignOptions, sign } from "./sign.ts";

const REQUEST_ATTRIBUTES = /\b(ID|Destination|AssertionConsumerServiceURL)="([^"]+)"/g;

/** A request of the service, as the identity provider receives the request. */
export interface ReceivedRequest {
  readonly id: string;
  readonly acsUrl: string;
  readonly destination: string;
  readonly relayState: string;
  readonly xml: string;
}

export interface ResponseOptions {
  readonly parts?: Partial<MessageParts>;
  readonly signed?: readonly ("Response" | "Assertion")[];
  readonly signing?: SignOptions;
  /** Changes the signed XML. */
  readonly change?: (xml: string) => string;
  /** Changes the signed assertion before the response contains the assertion. */
  readonly wrap?: (assertion: string) => string;
}

let assertions = 0;

/** A response to a request, about an address. */
export function respondTo(
  { id, acsUrl }: Pick<ReceivedRequest, "id" | "acsUrl">,
  email: string,
  {
    parts = {},
    signed = ["Assertion"],
    signing = {},
    change = (xml) => xml,
    wrap = (xml) => xml,
  }: ResponseOptions = {},
): string {
  assertions += 1;
  const audience = acsUrl.replace(/acs$/, "metadata");
  const now = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const written: MessageParts = {
    ...DEFAULT_PARTS,
    responseId: `_response-${process.pid}-${assertions}`,
    assertionId: `_assertion-${process.pid}-${assertions}`,
    destination: acsUrl,
    recipient: acsUrl,
    inResponseTo: id,
    confirmationInResponseTo: id,
    nameId: email,
    conditions: `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
    issueInstant: now(-2),
    notBefore: now(-60),
    notOnOrAfter: now(300),
    confirmationNotOnOrAfter: now(300),
    authnInstant: now(-5),
    sessionNotOnOrAfter: now(28_800),
    attributes: [],
    ...parts,
  };
  const assertion = assertionText(written);
  const content = wrap(signed.includes("Assertion") ? sign(assertion, "Assertion", signing) : assertion);
  const response = responseText(written, content);
  return encodeMessage(change(signed.includes("Response") ? sign(response, "Response", signing) : response));
}

export function readRequest({ searchParams }: URL): ReceivedRequest {
  const xml = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  return describeRequest(xml, searchParams.get("RelayState") ?? "");
}

export function describeRequest(xml: string, relayState: string): ReceivedRequest {
  const values = Object.fromEntries([...xml.matchAll(REQUEST_ATTRIBUTES)].map(([, name, value]) => [name, value]));
  const { ID: id = "", Destination: destination = "", AssertionConsumerServiceURL: acsUrl = "" } = values;
  return { id, destination, acsUrl, relayState, xml };
}
