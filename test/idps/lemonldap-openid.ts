/** LemonLDAP::NG as an OpenID provider. */
import { randomBytes } from "node:crypto";
import { samlKeys } from "../support/saml/keys.ts";
import type { OpenidProduct } from "./identity-provider.ts";
import { EMAIL, Portal } from "./lemonldap.ts";

const CLIENT_ID = "identity-service";

export async function startLemonldapOpenid(): Promise<OpenidProduct> {
  const { key, certificate } = samlKeys.idp();
  const portal = await Portal.start((url) => ({
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceMetaDataIssuer: url,
    oidcServicePrivateKeySig: key,
    oidcServicePublicKeySig: certificate,
    oidcServiceKeyIdSig: "first",
  }));
  return {
    name: "LemonLDAP::NG",
    issuer: portal.url,
    email: EMAIL,
    settings: { display_name_from: "name" },
    passwordValue: "loa-2",
    sendsLogoutTokens: false,
    age: () => portal.age(),
    isAsking: portal.isAsking,
    signIn: (visitor) => portal.signIn(visitor),
    signOut: (visitor) => portal.signOut(visitor),
    async register({ redirectUri }) {
      const secret = randomBytes(24).toString("base64url");
      await portal.configure({
        oidcRPMetaDataExportedVars: { service: { email: "mail", name: "cn" } },
        oidcRPMetaDataOptions: {
          service: {
            oidcRPMetaDataOptionsClientID: CLIENT_ID,
            oidcRPMetaDataOptionsClientSecret: secret,
            oidcRPMetaDataOptionsRedirectUris: redirectUri,
            oidcRPMetaDataOptionsIDTokenSignAlg: "RS256",
            oidcRPMetaDataOptionsUserIDAttr: "uid",
            oidcRPMetaDataOptionsBypassConsent: 1,
            oidcRPMetaDataOptionsRequirePKCE: 1,
          },
        },
      });
      return { client_id: CLIENT_ID, client_secret: secret };
    },
  };
}
