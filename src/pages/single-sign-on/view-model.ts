/** What the sections of a connection display. */
import type { LeftOutCertificate } from "../../base/certificate-text.ts";
import type { Listing } from "../../database/listing.ts";
import type { MetadataChange } from "../../flows/sso/connections/metadata-changes.ts";
import type { ConnectionView } from "../../flows/sso/connections/read.ts";
import type { Responsibility } from "../../flows/sso/connections/take-over.ts";
import type { ConnectionUrls } from "../../flows/sso/connections/urls.ts";
import type { ConnectionTestView } from "../../flows/sso/tests/read.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
import type { SsoAttempt } from "../../models/sso-connection/attempt.ts";
import type { FormState } from "../components/form.tsx";
import type { ConnectionForm } from "./connection-form.ts";
import type { ConnectionSection } from "./paths.ts";

export interface ConnectionViewModel extends ConnectionView {
  /** The page, which receives the forms. */
  readonly place: string;
  /** `setup_link`: a person with a link, who asks the owners for the activation and manages no keys. */
  readonly audience: "member" | "setup_link";
  /** The page with the domains; undefined: outside of the tasks of the link. */
  readonly domainsPlace: string | undefined;
  readonly urls: ConnectionUrls;
  readonly domains: readonly OrganizationDomain[];
  /** Read for the section of the attempts only. */
  readonly attempts: Listing<SsoAttempt> | undefined;
  /** The result of the last 24 hours. */
  readonly test: ConnectionTestView | undefined;
  /** The changes of submitted metadata, before they apply. */
  readonly preview: MetadataPreview | undefined;
  /** The time of the request: a certificate may have expired. */
  readonly now: Date;
  readonly section: ConnectionSection;
  /** Who is responsible for an active connection, for members. */
  readonly responsibility: Responsibility | undefined;
  /** False: a person with a set-up link, and an active connection. */
  readonly canEdit: boolean;
  /** `SERVICE_CONFIG_KEY` is set. */
  readonly storesSecrets: boolean;
}

export interface MetadataPreview {
  readonly changes: readonly MetadataChange[];
  readonly leftOut: readonly LeftOutCertificate[];
}

/** A form of a connection: the stored values, or the values of a refused form. */
export interface ConnectionFormProps {
  readonly viewModel: ConnectionViewModel;
  readonly state: FormState;
  /** The form that was refused. */
  readonly refused: ConnectionForm | undefined;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
  /** Users are linked, and the change unlinks all users. */
  readonly asksUnlink: boolean;
}
