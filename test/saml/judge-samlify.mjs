/**
 * Judges the responses of the corpus by samlify. Standard input and output as of `judge.py`. The package is in the
 * folder SAMLIFY_FOLDER, and the time is CORPUS_NOW, in milliseconds.
 */
import { createRequire } from "node:module";

const now = Number(process.env.CORPUS_NOW);
const SystemDate = Date;
globalThis.Date = class extends SystemDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now] : args));
  }
  static now = () => now;
};

// The library prints advice for every message.
console.log = () => undefined;
console.warn = () => undefined;
console.error = () => undefined;

const samlify = createRequire(`${process.env.SAMLIFY_FOLDER}/`)("samlify");
samlify.setSchemaValidator({ validate: async () => "valid" });
const corpus = JSON.parse(await new Response(Bun.stdin.stream()).text());
const POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";

async function nameIdOf({ message, certificates, signedElement, encrypted }) {
  const sp = samlify.ServiceProvider({
    entityID: corpus.service,
    wantAssertionsSigned: signedElement === "assertion",
    encPrivateKey: corpus.serviceKey,
    assertionConsumerService: [{ Binding: POST, Location: corpus.acs }],
  });
  const idp = samlify.IdentityProvider({
    entityID: corpus.idp,
    signingCert: certificates,
    isAssertionEncrypted: encrypted,
    wantAuthnRequestsSigned: false,
    singleSignOnService: [{ Binding: POST, Location: corpus.ssoUrl }],
  });
  const { extract } = await sp.parseLoginResponse(idp, "post", { body: { SAMLResponse: message } });
  return extract.nameID;
}

const verdicts = [];
for (const each of corpus.cases)
  verdicts.push(
    await nameIdOf(each).then(
      (name) => name ?? null,
      () => null,
    ),
  );
await Bun.write(Bun.stdout, JSON.stringify({ samlify: verdicts }));
