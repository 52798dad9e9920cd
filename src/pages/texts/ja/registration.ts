/** Japanese: initial access tokens, in the platform console. */
import type { RegistrationTexts } from "../en/registration.ts";

export const registrationTexts: RegistrationTexts = {
  registration: {
    title: "登録トークン",
    lead: "アプリケーションはトークンを使って自分自身を登録します。",
    leadOff:
      "登録は無効です。SERVICE_OAUTH_REGISTRATION を token に設定してください。それまではどのアプリケーションもトークンを使用できません。",
    leadOpen: "登録は公開されています。アプリケーションにトークンは必要ありません。",
    none: "トークンはまだありません。",
    create: "新しいトークン",
    name: "名前",
    nameHint: "トークンを受け取るチームや製品など。",
    maxUses: "登録数",
    maxUsesHint: "このトークンで登録できるアプリケーションの数（1～1,000）。",
    days: "有効日数",
    daysHint: "1～365 日。",
    createAction: "トークンを作成",
    createdTitle: "新しい登録トークン",
    used: "使用済み",
    uses: (uses: string, max: string) => `${max} 件中 ${uses} 件`,
    expires: "有効期限",
    ended: "期限切れ",
    remove: "削除",
    removeTitle: (name: string) => `トークン ${name} を削除しますか？`,
    removeText: "このトークンでは新たに登録できなくなります。登録済みのアプリケーションは残ります。",
    deleted: "トークンを削除しました。",
    full: "トークンはすでに 100 個あります。使っていないトークンを削除してください。",
  },
};
