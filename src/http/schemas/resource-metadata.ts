import { Type } from "@sinclair/typebox";
import { text, url } from "./common.ts";

/** RFC 9728, section 2. */
export const ProtectedResource = Type.Object(
  {
    resource: url("https://mcp.example.com/mcp", "resource indicator (RFC 8707)"),
    authorization_servers: Type.Array(url("https://auth.acme.test", "this service")),
    scopes_supported: Type.Array(text("invoices:read")),
    bearer_methods_supported: Type.Array(Type.Literal("header")),
    dpop_signing_alg_values_supported: Type.Array(text("ES256")),
    dpop_bound_access_tokens_required: Type.Optional(Type.Boolean({ examples: [true] })),
    resource_name: text("Billing"),
  },
  { $id: "ProtectedResource", description: "RFC 9728" },
);

export const RoutePrefix = Type.String({ description: "the route prefix, without slashes", examples: ["v1"] });
