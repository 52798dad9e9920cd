export { type Client, type ClientOptions, createClient } from "./client.ts";
export type * from "./generated/types.gen.ts";
export type { CallOptions, ClientError, Method, Result, ServiceErrorCode } from "./method.ts";
export type { SavedSession, SessionChange } from "./session.ts";
