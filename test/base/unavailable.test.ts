import { expect, test } from "bun:test";
import { DatabaseUnavailable, isUnavailable } from "../../src/base/unavailable.ts";

const failed = (code: string, severity = "ERROR") => Object.assign(new Error("failed"), { code, severity });

test("time-outs, lost connections, missing resources and exhausted retries are an unavailable database (G276)", () => {
  const codes = ["57014", "55P03", "53300", "57P01", "57P03", "08006", "40P01", "40001", "25P03"];
  const lost = ["CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND"];
  expect([...codes, ...lost].filter((code) => !isUnavailable(failed(code)))).toEqual([]);
  expect([failed("55000", "FATAL"), new DatabaseUnavailable("full")].every(isUnavailable)).toBe(true);
});

test("a defect of the service is no unavailable database (G276)", () => {
  const defects = ["42P01", "23505", "22P02", "55000", "ERR_INVALID_ARG_TYPE"].map((code) => failed(code));
  expect([...defects, new TypeError("x"), "57014", undefined].filter(isUnavailable)).toEqual([]);
});
