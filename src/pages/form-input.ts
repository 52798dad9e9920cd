/** Reads the form of a page once origin, caller and limits are checked (docs/contract.md, section 2.8). */

import type { Refusal } from "../base/problem.ts";
import { ok, type Result } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import { CSRF_FIELD, checkFormOrganization, checkFormToken, ORGANIZATION_FIELD } from "../http/form-csrf.ts";
import type { Caller } from "../http/guards/caller.ts";
import { readForm } from "../http/input/form-body.ts";
import { readUpload, type Upload, type Uploaded } from "../http/input/upload.ts";
import { SMALL_BODY_MAX_BYTES } from "../limits/body-limits.ts";
import { JSON_BODY_MAX_BYTES } from "../limits/limits.ts";

export interface FormInputSpec {
  /** The form acts on the session, so the hidden field must be bound to the session. */
  readonly bound: boolean;
  /** The page serves anonymous visitors, whose forms are small. */
  readonly anonymous: boolean;
  /** Whether the form of this request may be large, or have a file, on a page that serves anonymous visitors. */
  readonly admitsLargeForm?: (request: Request) => Promise<boolean>;
  readonly ofOrganization?: boolean;
  readonly upload?: Upload;
  readonly ignoresBody?: boolean;
}

const NOTHING: Uploaded = { file: new Uint8Array(), fields: new URLSearchParams() };

/**
 * Reads the fields and the file of a form. The file is read only after the preceding hidden fields have been accepted.
 */
export async function readPageForm(
  deps: Pick<Deps, "csrfKey">,
  spec: FormInputSpec,
  request: Request,
  caller: Caller | undefined,
): Promise<Result<Uploaded, Refusal>> {
  if (spec.ignoresBody) return ok(NOTHING);
  const check = (fields: URLSearchParams) => checkHiddenFields(deps, spec, fields, caller);
  const isSmall = spec.anonymous && !(await spec.admitsLargeForm?.(request));
  // The handler refuses the request without the credential of the page; the file is not read.
  if (spec.upload) return isSmall ? ok(NOTHING) : await readUpload(request, spec.upload, check);
  const form = await readForm(request, isSmall ? SMALL_BODY_MAX_BYTES : JSON_BODY_MAX_BYTES);
  if (!form.ok) return form;
  const checked = check(form.value);
  return checked.ok ? ok({ ...NOTHING, fields: form.value }) : checked;
}

function checkHiddenFields(
  deps: Pick<Deps, "csrfKey">,
  { bound, ofOrganization }: FormInputSpec,
  fields: URLSearchParams,
  caller: Caller | undefined,
): Result<void, Refusal> {
  if (!caller || !bound) return ok(undefined);
  const { session } = caller;
  const fits = checkFormToken(deps, fields.get(CSRF_FIELD) ?? "", session.id);
  if (!fits.ok || !ofOrganization) return fits;
  return checkFormOrganization(fields.get(ORGANIZATION_FIELD) ?? undefined, session.organizationId);
}
