import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AvatarDeps, deleteOwnAvatar, uploadAvatar } from "../../flows/avatars/change.ts";
import { readAvatar } from "../../flows/avatars/read.ts";
import { AVATAR_BYTES_MAX } from "../../limits/avatar-limits.ts";
import { avatarUrl } from "../../models/avatar/avatar.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PICTURE_HEADERS } from "../picture-headers.ts";
import { bytesReply, emptyReply, reply } from "../reply.ts";
import { AvatarBody, AvatarFile } from "../schemas/account.ts";

const tag = "Avatars";

/** docs/contract.md, sections 12.9 to 12.11. */
export function avatarRoutes(deps: AvatarDeps & Pick<Deps, "config">): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/users/me/avatar",
      operationId: "uploadAvatar",
      docs: { clientMethod: "me.uploadAvatar", section: "12.9" },
      tag,
      summary: "Set the caller's avatar",
      description:
        "PNG, JPEG, WebP, GIF or AVIF by content, at most 5 MiB and 40 megapixels (AVIF 4). It is re-encoded without " +
        "metadata.",
      auth: "own",
      input: { upload: { part: "file", maxBytes: AVATAR_BYTES_MAX } },
      responses: { 200: { description: "URL of the avatar", schema: AvatarBody } },
      problems: ["invalid_input", "rate_limited"],
      async handle({ caller, client, file }) {
        const hash = await uploadAvatar(deps, { caller: caller.session, client, file });
        return hash.ok ? ok(reply(200, { avatar_url: avatarUrl(deps.config, hash.value) })) : hash;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/avatar",
      operationId: "deleteAvatar",
      docs: { clientMethod: "me.deleteAvatar", section: "12.10" },
      tag,
      summary: "Remove the caller's avatar",
      auth: "own",
      responses: { 204: { description: "Removed, also without a stored value" } },
      problems: [],
      async handle({ caller, client }) {
        await deleteOwnAvatar(deps, { caller: caller.session, client });
        return ok(emptyReply(204));
      },
    }),
    endpoint({
      method: "GET",
      path: "/avatars/:file",
      prefixed: false,
      input: { textParameters: true },
      docs: { clientMethod: "avatars.get", section: "12.11", params: { file: AvatarFile } },
      operationId: "getAvatar",
      tag,
      summary: "Get an avatar",
      auth: "none",
      limits: { address: "public_reads" },
      responses: {
        200: {
          description: "WebP, 256 by 256",
          contentType: "image/webp",
          headers: ["Cache-Control", "Content-Disposition"],
          example: "(bytes of the picture)",
        },
      },
      problems: ["not_found"],
      async handle({ params }) {
        const content = await readAvatar(deps, params.file);
        return content.ok ? ok(bytesReply(200, "image/webp", content.value, { headers: PICTURE_HEADERS })) : content;
      },
    }),
  ];
}
