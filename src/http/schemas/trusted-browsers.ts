import { Type } from "@sinclair/typebox";
import { Timestamp, Uuid } from "./common.ts";

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const TrustedBrowserItem = Type.Object({
  id: Uuid,
  name: nullableText,
  user_agent: nullableText,
  ip_address: nullableText,
  created_at: Timestamp,
  last_used_at: Type.Union([Timestamp, Type.Null()]),
  expires_at: Timestamp,
  current: Type.Boolean({ description: "the browser that asks" }),
});

export const TrustBody = Type.Object({
  name: Type.Optional(Type.String({ description: "1 to 120 characters" })),
});
