/** Japanese: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "ポリシー",
    signIn: "ログイン",
    signInLead: "ポリシーは組織のすべての接続に適用されます。",
    mode: "シングルサインオン",
    open: "ポリシーを変更",
    modes: {
      off: "オフ：接続のテストのみ可能",
      optional: "任意：メンバーはシングルサインオンを使用できる",
      required: "必須：メンバーはシングルサインオンを使用する",
    },
    emergency:
      "シングルサインオンが必須の間も、自分のパスワードと 2 つ目の認証要素による緊急アクセスを、1 回につき 1 時間利用できます。",
    notReady:
      "シングルサインオンはまだ必須にできません。有効な接続、確認済みのドメイン、24 時間以内のオーナーまたは管理者による接続経由のログインが必要です。また、自分のアカウントに確認済みのアドレスと、2 " +
      "つ目の認証要素またはパスキーが必要です。",
    jit: "メンバーではないユーザー",
    jits: {
      on: "最初のログイン時にアカウントとメンバーシップを作成する",
      invited_only: "招待されたユーザーを許可する",
      off: "誰も許可しない",
    },
    guests: "他のドメインのアドレスのメンバー",
    guestRules: { own_methods: "自分のログイン方法を引き続き使用する", required: "シングルサインオンを使用する" },
    guestsHint: "シングルサインオンが必須の場合に適用されます。",
    roles: "ロール",
    rolesLead: "ルールによってオーナーのロールが付与されたり、オーナーが変更されたりすることはありません。",
    defaultRole: "一致するルールがない場合のロール",
    sync: "ルールの適用",
    syncs: { always: "ログインのたびに", first: "メンバーシップの開始時のみ" },
    rules: "ルール",
    rulesHint:
      "属性は groups または接続のその他の属性です。一致する最も高いロールが適用されます。保存すると空のルールが追加されます。",
    rule: (number) => `ルール ${number}`,
    from: "属性",
    value: "値",
    badRules: "各ルールに属性と値を入力してください。最大 50 件です。",
    saved: "ポリシーを保存しました。",
    ownersOnly: "ポリシーを変更できるのはオーナーだけです。",
  },
};
