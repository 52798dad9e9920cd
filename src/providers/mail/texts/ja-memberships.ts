import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "{{organization_name}} での権限が変更されました",
    preheader: "アカウントにアクセスできる他の経路をご確認ください。",
    title: "権限が追加されました",
    lead: "{{organization_name}} での権限が増えました。次の接続とキーも、お使いのアカウントに影響します（かっこ内は責任者）：{{channels}}。",
    button: "セキュリティ設定を開く",
    after:
      "会社アカウントでログインできなくなった場合は、ご自身の方法でログインし、セキュリティ設定で会社アカウントをリンクしてください。",
  },
  channels_accepted: {
    subject: "{{organization_name}} での新しい権限が確認されました",
    preheader: "より少ない権限の担当者がその経路を管理しています。",
    title: "権限の付与が確認されました",
    lead: "{{organization_name}} で権限が付与されましたが、その権限に至る次の経路は、より少ない権限の担当者が管理しています：{{channels}}。",
    button: "組織を確認する",
    after: "心当たりがない場合は、変更を元に戻すか、接続とキーを置き換えてください。",
  },
  role_template_widened: {
    subject: "ロール「{{role_name}}」に権限が追加されました",
    preheader: "{{organization_name}} でこのロールを持つメンバーに権限が付与されました。",
    title: "ロールに権限が追加されました",
    lead:
      "プラットフォーム {{brand}} が、{{organization_name}} の使用するテンプレート「{{role_name}}」に権限を追加しました。このロールを持つメンバーは、" +
      "次の権限を持つようになりました：{{added}}。",
    button: "ロールを確認",
    after: "メンバーにこの権限が不要な場合は、メンバーからロールを外すか、独自のロールを作成してください。",
  },
  join_requested: {
    subject: "{{organization_name}} への参加リクエスト",
    preheader: "{{address}} が参加を希望しています。期限は{{valid_for}}です。",
    title: "組織への参加リクエスト",
    lead:
      "ユーザー {{address}} が {{brand}} の {{organization_name}} への参加を希望しています。このアドレスは組織の確認済みドメインに属します。" +
      "リクエストは{{valid_for}}後に終了します。",
    button: "リクエストを確認",
    after: "ユーザーに心当たりがない場合は、リクエストを拒否してください。",
  },
  join_approved: {
    subject: "{{organization_name}} のメンバーになりました",
    preheader: "参加リクエストが承認されました。",
    title: "リクエストが承認されました",
    lead: "{{brand}} の {{organization_name}} への参加リクエストが承認されました。アカウントのページで組織を切り替えられます。",
    button: "アカウントを開く",
    after: "リクエストした覚えがない場合は、管理者に連絡してください。",
  },
  join_denied: {
    subject: "{{organization_name}} への参加リクエストが拒否されました",
    preheader: "後でもう一度リクエストできます。",
    title: "リクエストが拒否されました",
    lead: "{{brand}} の {{organization_name}} への参加リクエストが拒否されました。リクエストから{{valid_for}}後に、もう一度リクエストできます。",
    button: "アカウントを開く",
    after: "すぐにアクセスが必要な場合は、組織のメンバーに招待を依頼してください。",
  },
};
