/** Single sign-on of the users of directories: an identity provider, with a connection for every directory. */
import { randomUUID } from "node:crypto";
import { testCertificate } from "./certificate.ts";
import type { OwnDeployment } from "./deployment.ts";
import type { directoryOf } from "./directories.ts";
import { OpenidProvider } from "./identity/openid-provider.ts";
import { announceConnections, callbackOf, clientOf, insertConnection, routable, SsoBrowser } from "./sso.ts";

type Directory = Awaited<ReturnType<typeof directoryOf>>;

/** Signs the user of an address in, with the callback at a second replica; returns the status of the callback. */
export type SignIn = (email: string, index: number) => Promise<number>;

/** `count`: the directories at most. Returns the function to connect a directory with a verified domain. */
export async function signInsOfDirectories(
  at: OwnDeployment,
  count: number,
): Promise<(directory: Directory) => Promise<SignIn>> {
  const unused = Array.from({ length: count }, () => randomUUID());
  const client = { ...clientOf(unused[0] ?? ""), redirect_uris: unused.map((id) => callbackOf(id)) };
  const provider = await OpenidProvider.start([client], undefined, testCertificate());
  return async ({ organizationId, userId: ownerId }) => {
    const connectionId = unused.pop();
    if (connectionId === undefined) throw new Error("every connection is in use");
    await insertConnection(at, { connectionId, organizationId, ownerId }, { issuer: provider.issuer });
    await announceConnections(at);
    await routable(at, [connectionId]);
    const replicas = [at.one.url, at.other.url] as const;
    return async (email, index) => {
      provider.people.set(email, { email, email_verified: true });
      const [first, last] = index % 2 === 0 ? replicas : replicas.toReversed();
      const response = await new SsoBrowser(first ?? "").enter(connectionId, email, last);
      return response.status;
    };
  };
}
