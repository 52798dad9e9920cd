/** SimpleSAMLphp from Debian as the identity provider of a company. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SamlKey } from "../support/saml/keys.ts";
import { startSimpleSamlPhp } from "../support/saml/simplesamlphp.ts";
import type { SamlProduct } from "./identity-provider.ts";
import { serveByTls } from "./pair.ts";
import type { Visitor } from "./visitor.ts";

/** The lines of the guide in the entry of the service (docs/guides/single-sign-on.md, section 3.3). */
const OPTIONS = "'saml20.sign.assertion' => true, 'validate.authnrequest' => true, 'sign.logout' => true";
const ENCRYPTION =
  "'assertion.encryption' => true, 'sharedkey_algorithm' => 'http://www.w3.org/2009/xmlenc11#aes256-gcm'";

export async function startPhpProduct(): Promise<SamlProduct> {
  const { metadataUrl, folder } = await startSimpleSamlPhp(serveByTls);
  const remote = (options: string) => `<?php
    $xml = file_get_contents('${folder}/service.xml');
    foreach (\\SimpleSAML\\Metadata\\SAMLParser::parseDescriptorsString($xml) as $id => $entity)
      $metadata[$id] = array_merge($entity->getMetadata20SP(), [${options}]);`;
  const logoutUrl = metadataUrl.replace("metadata.php", "initSLO.php");
  return {
    name: "SimpleSAMLphp",
    metadataUrl,
    email: "student@acme.example",
    settings: { subject_from: "uid", email_from: "mail", display_name_from: "displayName" },
    logoutUrl,
    async importService(metadata, isEncrypted) {
      const options = isEncrypted ? `${OPTIONS}, ${ENCRYPTION}` : OPTIONS;
      writeFileSync(join(folder, "service.xml"), metadata);
      writeFileSync(join(folder, "config/metadata/saml20-sp-remote.php"), remote(options));
    },
    age: () => undefined,
    async isAsking(visitor) {
      return visitor.url().pathname.endsWith("/loginuserpass.php");
    },
    async signIn(visitor: Visitor) {
      await visitor.arrive("the form of SimpleSAMLphp", (url) => url.pathname.endsWith("/loginuserpass.php"));
      await visitor.submit({ username: "student", password: "studentpass" });
    },
    async signOut(visitor) {
      const after = metadataUrl.replace("saml2/idp/metadata.php", "logout.php");
      await visitor.open(`${logoutUrl}?RelayState=${encodeURIComponent(after)}`);
      await visitor.arrive("the end of the sign-out at SimpleSAMLphp", (url) => url.pathname.endsWith("/logout.php"));
    },
    async useKeys([first, second]) {
      const names = [first, second].map((key, index) => key && writeKey(folder, `key-${index}`, key));
      const next = names[1] ? `'new_privatekey' => '${names[1]}.pem', 'new_certificate' => '${names[1]}.crt',` : "";
      writeFileSync(
        join(folder, "config/metadata/saml20-idp-hosted.php"),
        `<?php $metadata['__DYNAMIC:1__'] = ['host' => '__DEFAULT__', 'auth' => 'userpass',
          'privatekey' => '${names[0]}.pem', 'certificate' => '${names[0]}.crt', ${next}
          'SingleSignOnServiceBinding' => ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
            'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'],
          'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'];`,
      );
    },
  };
}

function writeKey(folder: string, name: string, { key, certificate }: SamlKey): string {
  writeFileSync(join(folder, `cert/${name}.pem`), key, { mode: 0o600 });
  writeFileSync(join(folder, `cert/${name}.crt`), certificate);
  return name;
}
