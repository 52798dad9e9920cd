import { Type } from "@sinclair/typebox";
import { REDIRECT_PATH_MAX_CHARACTERS } from "../../limits/provider-limits.ts";
import { TICKET_LIFETIMES, TICKET_PURPOSES } from "../../limits/ticket-limits.ts";
import { oneOf, Timestamp, Uuid, url } from "./common.ts";

const TOKEN = "dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEgdG9rZW4gaGVyZQ";
const LONGEST_SECONDS = Math.max(...Object.values(TICKET_LIFETIMES).map(({ maxSeconds }) => maxSeconds));

const TicketPurposeName = oneOf(TICKET_PURPOSES, { $id: "TicketPurpose", description: "what the link does" });

export const IssueTicketBody = Type.Object(
  {
    purpose: TicketPurposeName,
    redirect_to: Type.Optional(
      Type.String({
        maxLength: REDIRECT_PATH_MAX_CHARACTERS,
        examples: ["/account/security"],
        description: "a path of this service, where a `sign_in` continues",
      }),
    ),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_SECONDS,
        examples: [300],
        description: "default and maximum by purpose",
      }),
    ),
  },
  { $id: "IssueTicketRequest" },
);

export const IssuedTicketItem = Type.Object(
  {
    id: Uuid,
    purpose: TicketPurposeName,
    url: url(`https://id.example.com/sign-in/ticket?token=${TOKEN}`, "the link; no later response contains the link"),
    expires_at: Timestamp,
  },
  { $id: "Ticket" },
);

export const UseTicketBody = Type.Object(
  { token: Type.String({ maxLength: 200, examples: [TOKEN], description: "of the link" }) },
  { $id: "UseTicketRequest" },
);
