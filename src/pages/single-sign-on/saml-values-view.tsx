/** The settings of an identity provider by SAML: metadata with a preview, and the settings themselves. */
import type { LeftOutCertificate } from "../../base/certificate-text.ts";
import { describeCertificate } from "../../flows/sso/connections/certificates.ts";
import type { MetadataChange } from "../../flows/sso/connections/metadata-changes.ts";
import { SAML_CERTIFICATE_HINT_MS } from "../../limits/saml-limits.ts";
import { Area } from "../components/area.tsx";
import { Check } from "../components/check.tsx";
import { Choice, describedBy } from "../components/choice.tsx";
import { FileInput } from "../components/file-input.tsx";
import { Button, Field, FieldError, Form } from "../components/form.tsx";
import { Row, Rows, Tag, Until } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { applyMetadata, previewMetadata, saveSaml } from "./connection-actions.ts";
import { FormProblem } from "./connection-parts.tsx";
import { metadataFilePath } from "./paths.ts";
import { isMetadataForm, METADATA_FILE } from "./saml-form.ts";
import type { ConnectionFormProps, ConnectionViewModel, MetadataPreview } from "./view-model.ts";

/** Names of the protocol. */
const BINDINGS = { redirect: "HTTP-Redirect", post: "HTTP-POST" };

export function MetadataForms(props: ConnectionFormProps) {
  return (
    <>
      <MetadataForm {...props} />
      {props.viewModel.canEdit && <FileForm {...props} />}
    </>
  );
}

/** A browser sends a file to an address of its own: the file is the only part behind the hidden fields. */
function FileForm({ viewModel, state }: ConnectionFormProps) {
  const { brand, saml } = useView().t;
  const error = state.errors?.[METADATA_FILE];
  return (
    <Form action={metadataFilePath(viewModel.place)} enctype="multipart/form-data" class="panel stack" data-upload="">
      <div class="field">
        <label for={METADATA_FILE}>{saml.metadataFile}</label>
        <div class="line picker">
          <FileInput
            id={METADATA_FILE}
            accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
            error={error}
            describedBy={describedBy(METADATA_FILE, state, saml.metadataFileHint)}
          />
          {/* The button of the browser has the language of the browser, the label has the language of the page. */}
          <label class="button scripted" for={METADATA_FILE}>
            {brand.upload}
          </label>
          <Button label={`${saml.preview}: ${saml.metadataFile}`}>{saml.preview}</Button>
        </div>
        <FieldError id={METADATA_FILE} text={error} announced />
        <p class="hint" id={`${METADATA_FILE}-hint`}>
          {saml.metadataFileHint}
        </p>
      </div>
    </Form>
  );
}

function MetadataForm(props: ConnectionFormProps) {
  const { t } = useView();
  const { metadata, metadataLead, metadataUrl, metadataXml, metadataXmlHint, preview } = t.saml;
  const { viewModel, state, refused, asksUnlink } = props;
  const { place } = viewModel;
  return (
    <Form action={place} class="panel stack" novalidate>
      <h3>{metadata}</h3>
      <p class="soft">{metadataLead}</p>
      {isMetadataForm(refused) && <FormProblem {...props} at={place} />}
      <Field name="metadata_url" type="url" label={metadataUrl} state={state} optional />
      <Area name="metadata_xml" label={metadataXml} hint={metadataXmlHint} state={state} />
      {viewModel.canEdit && (
        <div class="actions">
          <Button name="step" value={previewMetadata.step}>
            {preview}
          </Button>
        </div>
      )}
      {viewModel.preview && <Preview {...viewModel.preview} />}
      {isMetadataForm(refused) && asksUnlink && <ApplyButton />}
    </Form>
  );
}

function ApplyButton() {
  const { saml } = useView().t;
  return (
    <div class="actions">
      <Button kind="primary" name="step" value={applyMetadata.step}>
        {saml.apply}
      </Button>
    </div>
  );
}

/** The certificates of metadata that the connection does not use, each with the reason. */
function LeftOut({ certificates }: { readonly certificates: readonly LeftOutCertificate[] }) {
  const { leftOut, leftOutReasons } = useView().t.saml;
  if (certificates.length === 0) return null;
  return (
    <section class="stack">
      <h4>{leftOut}</h4>
      <Rows>
        {certificates.map(({ reason, sha256, bits }, index) => {
          const text =
            reason === "short_key" ? leftOutReasons.short_key({ bits: String(bits ?? 0) }) : leftOutReasons[reason];
          const details = sha256 === undefined ? undefined : <code class="whole-id">{sha256}</code>;
          return <Row key={sha256 ?? index} title={text} details={details} />;
        })}
      </Rows>
    </section>
  );
}

/** The last reading of the metadata, as far as a problem occurred. */
function MetadataReport({ viewModel: { connection } }: { readonly viewModel: ConnectionViewModel }) {
  const { saml } = useView().t;
  const { problem, leftOut } = connection.metadataReport ?? { problem: null, leftOut: [] };
  return (
    <>
      {problem !== null && (
        <p class="note">
          {saml.readingFailed} <code lang="en">{problem}</code>
        </p>
      )}
      <LeftOut certificates={leftOut} />
    </>
  );
}

/** The button of the form applies the same source, which the service reads again. */
function Preview({ changes, leftOut }: MetadataPreview) {
  const { saml } = useView().t;
  if (changes.length === 0) {
    return (
      <>
        <p class="note">{saml.noChanges}</p>
        <LeftOut certificates={leftOut} />
      </>
    );
  }
  return (
    <section class="stack" id="preview">
      <h3 tabIndex={-1} autofocus>
        {saml.changes}
      </h3>
      <Rows>
        {changes.map((change) => (
          <ChangeRow key={change.field} change={change} />
        ))}
      </Rows>
      <LeftOut certificates={leftOut} />
      <ApplyButton />
    </section>
  );
}

function ChangeRow({ change: { field, from, to } }: { readonly change: MetadataChange }) {
  const { saml } = useView().t;
  const labels: Readonly<Record<MetadataChange["field"], string>> = {
    entity_id: saml.entityId,
    sso_url: saml.ssoUrl,
    slo_url: saml.sloUrl,
    request_binding: saml.binding,
    certificates: saml.certificates,
  };
  const linesOf = (value: MetadataChange["from"]) => [value ?? []].flat();
  return (
    <Row
      title={labels[field]}
      details={
        <>
          {linesOf(from).map((line) => (
            <del key={line} class="whole-id">
              {line}
            </del>
          ))}
          {linesOf(to).map((line) => (
            <ins key={line} class="whole-id">
              {line}
            </ins>
          ))}
        </>
      }
    />
  );
}

export function SamlValuesForm(props: ConnectionFormProps) {
  const { t } = useView();
  const { saml, ssoConnections } = t;
  const { viewModel, state } = props;
  const { canEdit, place, storesSecrets } = viewModel;
  const isOfOtherForm = isMetadataForm(props.refused) || props.refused === "save-mapping";
  return (
    <Form action={place} class="panel stack" novalidate>
      <h3>{saml.settings}</h3>
      <input type="hidden" name="version" value={state.values?.version} />
      {!isOfOtherForm && <FormProblem {...props} at={place} />}
      {!storesSecrets && <p class="note warn">{ssoConnections.noConfigKey}</p>}
      <Field name="name" label={ssoConnections.name} hint={ssoConnections.nameHint} state={state} />
      <Field name="entity_id" label={saml.entityId} state={state} />
      <Field name="sso_url" type="url" label={saml.ssoUrl} state={state} />
      <Field name="slo_url" type="url" label={saml.sloUrl} state={state} optional />
      <Area name="certificates" label={saml.certificates} hint={saml.certificatesHint} state={state} />
      <Certificates viewModel={viewModel} />
      <MetadataReport viewModel={viewModel} />
      <Choice name="request_binding" label={saml.binding} options={BINDINGS} state={state} />
      <Choice name="signed_element" label={saml.signedElement} options={saml.signedElements} state={state} />
      <Field name="name_id_format" label={saml.nameIdFormat} hint={saml.nameIdFormatHint} state={state} optional />
      <Check name="sign_requests" label={saml.signRequests} state={state} />
      <Check name="encrypted_assertions" label={saml.encrypted} state={state} />
      <Check name="enforce_certificate_expiry" label={saml.enforceExpiry} state={state} />
      {canEdit && (
        <div class="actions">
          <Button kind="primary" name="step" value={saveSaml.step}>
            {t.common.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** The stored certificates with the end of their validity. */
function Certificates({ viewModel: { connection, now } }: { readonly viewModel: ConnectionViewModel }) {
  const { saml } = useView().t;
  if (connection.protocol !== "saml" || connection.config.certificates.length === 0) return null;
  return (
    <Rows>
      {connection.config.certificates.map(describeCertificate).map(({ sha256, notAfter }) => (
        <Row key={sha256} title={<code class="whole-id">{sha256}</code>} details={<Until at={notAfter} />}>
          {notAfter < now && <Tag kind="warn">{saml.expired}</Tag>}
          {notAfter >= now && notAfter.getTime() - now.getTime() < SAML_CERTIFICATE_HINT_MS && (
            <Tag kind="warn">{saml.endsSoon}</Tag>
          )}
        </Row>
      ))}
    </Rows>
  );
}
