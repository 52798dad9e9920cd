import type { AccessEmailKinds, AccessItemNames } from "./shape.ts";

/** E-mails that list what was set up: after a reset of the password, and after the removal of a member. */
export const accessEmails: AccessEmailKinds = {
  credential_review: {
    subject: "{{brand}} のアカウントを確認してください",
    preheader: "パスワードが再設定されました。心当たりのない項目のアクセスを終了してください。",
    title: "最近の設定を確認してください",
    lead: "{{brand}} のアカウントのパスワードが再設定されました。過去 7 日間に追加されたパスキー、アドレス、連携アカウントは、確認するまでログインに使用できません。",
    listed: "最近設定されたもの：",
    end: "心当たりのない項目がある場合は、次のページでアクセスを終了してください：",
    button: "確認",
    after: "すべてご自身の設定である場合は、セキュリティ設定で項目を承認してください。",
  },
  member_creations: {
    subject: "{{organization_name}} の {{address}} のキーとリンク",
    preheader: "このユーザーは組織を離れたか、権限が減りました。まだ有効なものを確認してください。",
    title: "設定されたものを確認してください",
    lead: "ユーザー {{address}} は {{brand}} の {{organization_name}} のメンバーではなくなったか、権限が減りました。",
    listed: "この人が設定した次のものはまだ有効です：",
    button: "確認して終了",
    after: "組織に必要な項目がある場合は、先に置き換えてからアクセスを終了してください。",
  },
};

export const accessItems: AccessItemNames = {
  passkeys: "パスキー",
  identities: "連携プロバイダ",
  company_accounts: "連携した会社アカウント",
  address_changes: "メールアドレス",
  second_factor: "認証アプリ",
  api_keys: "API キー",
  webhooks: "Webhook",
  event_streams: "イベントストリーム",
  oauth_grants: "連携アプリケーション",
  invitations: "未承諾の招待",
  setup_links: "シングルサインオンの設定リンク",
  connections: "シングルサインオンの接続",
  domains: "ドメイン",
};
