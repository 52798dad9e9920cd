/** The logo of a client with a metadata document (docs/contract.md, section 23.30). */
import type { Deps } from "../../../deps.ts";
import { avatarHash, avatarUrl, insertAvatar } from "../../../models/avatar/avatar.ts";
import type { DocumentRequest } from "../../../providers/client-documents.ts";

export type StoreLogoDeps = Pick<Deps, "clientDocuments" | "clock" | "config" | "database" | "log" | "pictureDecoder">;

/**
 * Fetches the picture by the rules of documents, decodes the picture like an avatar, and stores the result in
 * PostgreSQL, where the sweeper deletes pictures without an owner. Returns the address at this service: no browser of a
 * user calls the host of the logo. Null: no picture could be read, and the application has none.
 */
export async function storeLogo(
  deps: StoreLogoDeps,
  clientId: string,
  request: DocumentRequest,
): Promise<string | null> {
  const decode = async (bytes: Buffer) => {
    const decoded = await deps.pictureDecoder.decode(bytes, request.network, "avatar");
    return decoded.ok ? decoded.picture : undefined;
  };
  const picture = await deps.clientDocuments.fetchPicture({ ...request, decode });
  if (!picture.ok) {
    deps.log.debug({ host: new URL(request.url).hostname }, "a logo of a metadata document was not stored");
    return null;
  }
  const hash = avatarHash(clientId, picture.value);
  const at = new Date(deps.clock.now());
  await deps.database.run("avatar.insert_logo", (sql) => insertAvatar(sql, hash, picture.value, at));
  return avatarUrl(deps.config, hash);
}
