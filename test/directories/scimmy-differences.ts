/** Differences between this service and scimmy-routers, each with the clause or the directory that requires it. */

/** A response without ids, times and texts of problems. */
export interface Outcome {
  readonly status: number;
  readonly scimType?: string;
  readonly body?: unknown;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly own: Outcome;
  readonly peer: Outcome;
}

export interface RequestDifference {
  readonly clause: string;
  readonly concerns: (exchange: Exchange) => boolean;
}

const has = (text: string) => (exchange: Exchange) => JSON.stringify(exchange.body ?? "").includes(text);
const isFilter = (text: string) => (exchange: Exchange) =>
  exchange.path.startsWith(`/Users?filter=${encodeURIComponent(text)}`);
const statuses = (own: number, peer: number) => (exchange: Exchange) =>
  exchange.own.status === own && exchange.peer.status === peer;
const both =
  (...conditions: readonly RequestDifference["concerns"][]) =>
  (exchange: Exchange) =>
    conditions.every((concerns) => concerns(exchange));

export const REQUEST_DIFFERENCES: readonly RequestDifference[] = [
  {
    clause: "RFC 7643, section 3: `schemas` is required; scimmy accepts a resource without",
    concerns: (exchange) => exchange.own.scimType === "invalidSyntax" && !has("schemas")(exchange),
  },
  {
    clause: "RFC 7643, section 4.1.1: `userName` is not empty",
    concerns: both(statuses(400, 201), has('"userName":""')),
  },
  {
    clause: "docs/contract.md, section 31.5: a number for a text is read as the text; scimmy: `invalidValue`",
    concerns: both(statuses(200, 400), has('"nickName":5')),
  },
  {
    clause: "docs/contract.md, section 31.5: a deactivation outlasts a refused operation of the request",
    concerns: both(statuses(200, 400), has('"path":"active","value":false')),
  },
  {
    clause: "RFC 7644, section 3.12: 404 for an absent resource, before the values of the body are read",
    concerns: both(statuses(404, 400), has('"nickName":5')),
  },
  {
    clause: "RFC 7644, section 3.12, `invalidPath`: a path outside of the schema is refused for every resource",
    concerns: both(statuses(400, 404), has('"path":"colour"')),
  },
  {
    clause: "RFC 7644, section 3.12, `invalidSyntax`: text that is not JSON; scimmy names no `scimType`",
    concerns: ({ body, own }) => body === "{" && own.scimType === "invalidSyntax",
  },
  {
    clause: "RFC 7644, section 3.12, `invalidFilter`: an attribute that filters do not support",
    concerns: both(statuses(400, 200), ({ path }) => /filter=(?:colour|title)/.test(path)),
  },
  {
    clause: "RFC 7644, section 3.4.2.2: a comparison has a value; scimmy accepts a filter without",
    concerns: (exchange) => exchange.own.scimType === "invalidFilter" && isFilter("userName eq")(exchange),
  },
  {
    clause: "RFC 7644, section 3.4.2.2: a resource without the attribute does not match; scimmy refuses the filter",
    concerns: both(statuses(200, 400), isFilter("name.familyName")),
  },
  {
    clause: "RFC 7643, section 4.1.1: `userName` is compared without regard to case",
    concerns: both(statuses(200, 200), isFilter('userName eq "ADA"')),
  },
  {
    clause: "RFC 7644, section 3.11: `/Me` is 501 where the service provider does not support the path",
    concerns: both(statuses(501, 404), ({ path }) => path === "/Me"),
  },
  {
    clause: "OneLogin and JumpCloud create users without `active`: the user is active",
    concerns: both(statuses(201, 201), (exchange) => !has('"active"')(exchange)),
  },
  {
    clause: "RFC 7643, section 2.5: an empty complex value is unassigned, and absent",
    concerns: has('"name":{}'),
  },
  {
    clause: "RFC 7644, section 3.5.2.2: the removal of a required attribute is `mutability`; scimmy: `invalidValue`",
    concerns: both(statuses(400, 400), has('{"op":"remove","path":"userName"}')),
  },
  {
    clause: "Entra ID replaces values that do not exist: the value is created; scimmy: `noTarget`",
    concerns: both(({ peer }) => peer.scimType === "noTarget", has('"op":"replace","path":"emails[')),
  },
  {
    clause: "RFC 7643, section 4.2: a member is a resource of the service provider; scimmy stores every id",
    concerns: ({ own, path }) => own.scimType === "invalidValue" && path.startsWith("/Groups"),
  },
  {
    clause: "RFC 7644, section 3.5.2.1: an added value that exists changes nothing; scimmy adds the member twice",
    concerns: both(statuses(200, 200), has('"op":"add","path":"members"')),
  },
  {
    clause: "RFC 7643, section 2.5: a group without members has an empty list, or no list",
    concerns: both(statuses(200, 200), has('"op":"remove","path":"members[')),
  },
];
