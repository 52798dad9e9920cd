import { PRESETS } from "../../vocabulary/sso/preset.ts";

/** What the pages of single sign-on share. */

import type { ConnectionStatus } from "../../models/sso-connection/sso-connection.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import { Tag } from "../components/lists.tsx";
import type { ProblemMessages } from "../problem-messages.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView, type View } from "../view.tsx";

/** Messages for a caller without permission. */
export function ssoMessages({ t: { singleSignOn } }: View): ProblemMessages {
  return { forbidden: singleSignOn.notYours, payment_required: singleSignOn.notIncluded };
}

/** The name of the product, or the general name of an unknown identity provider. */
export function providerName({ ssoConnections }: Texts, preset: Preset): string {
  return preset === "custom" ? ssoConnections.otherProvider : PRESETS[preset].name;
}

const STATUS_TAGS = { draft: "plain", active: "good", inactive: "warn" } as const;

export function StatusTag({ status }: { readonly status: ConnectionStatus }) {
  const { t } = useView();
  return <Tag kind={STATUS_TAGS[status]}>{t.ssoConnections.statuses[status]}</Tag>;
}
