import type { Reply } from "../../http/reply.ts";
import type { Profile } from "../../models/user/profile.ts";
import { Button, Form } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { CopyButton, CopyResult } from "../components/secret.tsx";
import { showPage } from "../html.tsx";
import { useView, type View } from "../view.tsx";
import { SECURITY } from "./view-model.ts";

interface CodesProps {
  readonly profile: Profile;
  readonly codes: readonly string[];
  /** The result on the next page. */
  readonly done: "factor_on" | "codes_renewed";
}

function RecoveryCodesBody({ profile, codes, done }: CodesProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile}>
      <h1>{t.recovery.title}</h1>
      <div class="panel stack">
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
        </div>
        <CopyResult />
        <Form action={SECURITY}>
          <input type="hidden" name="done" value={done} />
          <Button kind="primary" wide name="step" value="codes-stored">
            {t.recovery.kept}
          </Button>
        </Form>
      </div>
    </Shell>
  );
}

/**
 * Displays the codes in the response to the POST that created the codes: the codes are stored hashed, and no later page
 * displays the codes.
 */
export function showRecoveryCodes(
  view: View,
  profile: Profile,
  codes: readonly string[],
  done: CodesProps["done"],
): Reply {
  const body = <RecoveryCodesBody profile={profile} codes={codes} done={done} />;
  return showPage(view, { title: view.t.recovery.title, body, islands: ["recovery-codes"] });
}
