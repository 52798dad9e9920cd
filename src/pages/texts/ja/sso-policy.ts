/** Japanese: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("ja");

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
      off: "新しいユーザーを許可しない",
    },
    guests: "他のドメインのアドレスのメンバー",
    guestRules: { own_methods: "自分のログイン方法を引き続き使用する", required: "シングルサインオンを使用する" },
    guestsHint: "シングルサインオンが必須の場合に適用されます。",
    ownFactor: "このサービスの 2 つ目の認証要素",
    ownFactors: { off: "不要", on: "必須" },
    ownFactorHint: "メンバーはシングルサインオンの後に認証アプリのコードでも確認します。この組織にのみ適用されます。",
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
    start: "必須化の開始",
    startKept: (time) => `設定済み：${time}`,
    startNow: "今すぐ",
    startIn: (count) => plural(count, { other: "# 日後" }),
    breakGlass: "緊急アクセス",
    breakGlassHint: "確認済みのアドレスと、2 つ目の認証要素またはパスキーがあるオーナー。最大 5 人。",
    noBreakGlass: "確認済みのアドレスと、2 つ目の認証要素またはパスキーがあるオーナーはまだいません。",
    preview: "プレビュー",
    previewTitle: "設定の影響",
    covered: (count) => plural(count, { other: "# 人のメンバーにシングルサインオンが必須になります。" }),
    withoutIdentity: (count) =>
      plural(count, { other: "このうち # 人は、まだシングルサインオンでログインしていません：" }),
    allLinked: "該当するメンバーは全員、シングルサインオンでログイン済みです。",
    firstMembers: "最初の 100 件のアドレスを表示しています。",
    pausedUntil: (time) => `サービスの運営者が必須化を一時停止しています。終了：${time}。`,
    console: {
      title: "シングルサインオンの必須化",
      off: "この組織ではシングルサインオンは必須ではありません。",
      on: "シングルサインオンは必須です。",
      since: (time) => `シングルサインオンの必須化の開始：${time}。`,
      until: (time) => `必須化は一時停止中です。終了：${time}。`,
      pause: "24 時間停止",
      text: "対象のメンバーは 24 時間、各自の方法でログインできます。オーナーに理由がメールで通知されます。",
      reasonHint: "オーナーに表示されます。最大 500 文字。",
      paused: "必須化を 24 時間停止しました。",
      end: "停止を終了",
      ended: "必須化を再開しました。",
    },
    saved: "ポリシーを保存しました。",
    ownersOnly: "ポリシーを変更できるのはオーナーだけです。",
  },
};
