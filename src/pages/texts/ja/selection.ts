/** Japanese: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("ja");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `${name} を選択`,
    rows: "選択した行",
    all: "すべて選択",
    back: "一覧に戻る",
    missing: "この行は存在しません。",
    bounds: (count) => plural(count, { other: "1 行から # 行までを選択してください。" }),
    partial: (count) => plural(count, { other: "# 行は変更されませんでした" }),
    actions: {
      "remove-selected": {
        action: "削除",
        title: (count) => plural(count, { other: "# 人のメンバーを削除しますか？" }),
        text: "これらのメンバーは直ちに組織へのアクセスを失います。アカウントは残ります。",
        done: (count) => plural(count, { other: "# 人のメンバーを削除しました。" }),
      },
      "resend-selected": {
        action: "再送信",
        title: (count) => plural(count, { other: "# 件の招待を再送信しますか？" }),
        text: "各メールには新しいリンクが含まれます。以前のリンクは使用できなくなります。",
        done: (count) => plural(count, { other: "# 件の招待を再送信しました。" }),
      },
      "revoke-selected": {
        action: "取り消す",
        title: (count) => plural(count, { other: "# 件の招待を取り消しますか？" }),
        text: "メールのリンクは使用できなくなります。",
        done: (count) => plural(count, { other: "# 件の招待を取り消しました。" }),
      },
      "end-selected": {
        action: "セッションを終了",
        title: (count) => plural(count, { other: "# 件のセッションを終了しますか？" }),
        text: "デバイスは直ちにログアウトされます。ユーザーは再びログインできます。",
        done: (count) => plural(count, { other: "# 件のセッションを終了しました。" }),
      },
      "disable-selected": {
        action: "無効化",
        title: (count) => plural(count, { other: "# 人のユーザーを無効にしますか？" }),
        text: "これらのユーザーのすべてのセッションが直ちに終了し、アカウントを再び有効にするまでログインはすべて失敗します。",
        done: (count) => plural(count, { other: "# 人のユーザーを無効にしました。" }),
      },
      "sign-out-selected": {
        action: "すべてのデバイスからログアウト",
        title: (count) => plural(count, { other: "# 人のユーザーをすべてのデバイスからログアウトしますか？" }),
        text: "これらのユーザーのすべてのセッションが直ちに終了します。ユーザーは再びログインできます。",
        done: (count) => plural(count, { other: "# 人のユーザーをすべてのデバイスからログアウトしました。" }),
      },
    },
  },
};
