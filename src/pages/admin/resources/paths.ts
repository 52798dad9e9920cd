import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";

export const RESOURCES = "/admin/resources";
export const API_PRODUCTS = "/admin/resources/products";

export function resourcePath({ id }: Pick<OAuthResource, "id">): string {
  return `${RESOURCES}/${id}`;
}
