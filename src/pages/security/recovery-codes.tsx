import type { Reply } from "../../http/reply.ts";
import type { Profile } from "../../models/user/profile.ts";
import { Button, Form } from "../components/form.tsx";
import { Shell, Stage, StageHead } from "../components/layout.tsx";
import { CopyButton, CopyResult } from "../components/secret.tsx";
import { showPage } from "../html.tsx";
import { useView, type View } from "../view.tsx";
import { codesStored } from "./actions.ts";
import { SECURITY } from "./view-model.ts";

interface CodesProps {
  readonly profile: Profile;
  readonly codes: readonly string[];
  /** The result on the next page. */
  readonly done: "factor_on" | "codes_renewed";
  /** The action that needs the new second factor, in place of `/account/security`. */
  readonly to?: string | undefined;
  /** Whether the factor is for single sign-on to one organization. */
  readonly isBound?: boolean;
}

function RecoveryCodesBody(props: CodesProps) {
  const { t } = useView();
  const { title } = t.recovery;
  if (!props.isBound) {
    return (
      <Shell at={SECURITY} profile={props.profile} below={title}>
        <h1>{title}</h1>
        <CodesPanel {...props} />
      </Shell>
    );
  }
  return (
    <Stage>
      <StageHead title={title} icon="shield" />
      <CodesPanel {...props} />
    </Stage>
  );
}

function CodesPanel({ codes, done, to, isBound }: CodesProps) {
  const { t } = useView();
  return (
    <div class={isBound ? "stack" : "panel stack"}>
      <p role="status">{t.recovery.lead}</p>
      <ul class="codes mono" data-codes>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="actions scripted">
        <CopyButton text={t.recovery.copy} copied={t.recovery.copied} />
        <button class="button" type="button" data-download={`${t.recovery.file}.txt`}>
          {t.recovery.download}
        </button>
        <button class="button" type="button" data-print="">
          {t.recovery.print}
        </button>
      </div>
      <CopyResult />
      {isBound ? (
        <a class="button primary wide" href={to ?? "/"}>
          {t.recovery.kept}
        </a>
      ) : (
        <Form action={SECURITY}>
          <input type="hidden" name="done" value={done} />
          {to && <input type="hidden" name="return_to" value={to} />}
          <Button kind="primary" wide name="step" value={codesStored.step}>
            {t.recovery.kept}
          </Button>
        </Form>
      )}
    </div>
  );
}

/**
 * Displays the codes in the response to the POST that created the codes: the codes are stored hashed, and no later page
 * displays the codes.
 */
export function showRecoveryCodes(view: View, props: CodesProps): Reply {
  const body = <RecoveryCodesBody {...props} />;
  return showPage(view, { title: view.t.recovery.title, body, islands: ["recovery-codes"] });
}
