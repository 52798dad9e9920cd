/** The picture of the user, with its form; with scripts also the crop to a square (islands/picture.ts). */
import type { Profile } from "../../models/user/profile.ts";
import { FileInput } from "../components/file-input.tsx";
import { Button, FieldError, Form } from "../components/form.tsx";
import { Picture } from "../components/picture.tsx";
import { useView } from "../view.tsx";
import { removePicture } from "./account-actions.ts";

/** Side of the preview in CSS pixels, and of the uploaded square. */
const PREVIEW_PX = 256;

interface PictureRowProps {
  readonly profile: Profile;
  readonly error: string | undefined;
}

export function PictureRow({ profile, error }: PictureRowProps) {
  const { t } = useView();
  return (
    <li>
      <Picture profile={profile} />
      <div class="what stack near">
        <Form action="/account/picture" enctype="multipart/form-data" class="line picker" data-picture="">
          <FileInput
            id="file"
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            error={error}
            label={t.account.changePicture}
          />
          {/* The button of the browser has the language of the browser, the label has the language of the page. */}
          <label class="button scripted" for="file">
            {profile.avatarHash ? t.account.changePicture : t.account.upload}
          </label>
          <Button busy={t.account.uploading}>{t.account.upload}</Button>
        </Form>
        <FieldError id="file" text={error} announced />
        <small>{t.account.pictureHint}</small>
        <CropDialog />
      </div>
      {profile.avatarHash && (
        <Form action="/account">
          <Button kind="bad" name="step" value={removePicture.step}>
            {t.common.remove}
          </Button>
        </Form>
      )}
    </li>
  );
}

/** Closed until the user has chosen a file. */
function CropDialog() {
  const { t } = useView();
  return (
    <dialog data-crop aria-labelledby="crop" aria-describedby="crop-hint">
      <div class="stack">
        <h2 id="crop">{t.account.cropTitle}</h2>
        <p class="soft" id="crop-hint">
          {t.account.cropHint}
        </p>
        <canvas
          class="crop"
          width={PREVIEW_PX * 2}
          height={PREVIEW_PX * 2}
          role="img"
          tabIndex={0}
          aria-label={t.account.cropTitle}
          aria-describedby="crop-hint"
        />
        <label class="field">
          {t.account.zoom}
          <input type="range" min="1" max="4" step="0.05" value="1" />
        </label>
        <div class="acts">
          <button class="button" type="button" data-cancel>
            {t.common.cancel}
          </button>
          <button class="button primary" type="button" data-crop-use>
            {t.account.usePicture}
          </button>
        </div>
      </div>
    </dialog>
  );
}
