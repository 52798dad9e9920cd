import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "{{domain}} の DNS レコードがありません",
    preheader: "レコードがないままの場合、組織は{{valid_for}}後にドメインを失います。",
    title: "DNS レコードがありません",
    lead:
      "組織が {{domain}} を所有していることを証明する TXT レコードがありません。レコードを再び追加してください。" +
      "追加しないと、組織は{{valid_for}}後にドメインを失い、このドメインのアドレスのシングルサインオンは終了します。",
    button: "ドメインを確認",
    after: "サービスは 1 日に 1 回レコードを確認します。ページではいつでもレコードを確認できます。",
  },
  domain_lost: {
    subject: "組織がドメイン {{domain}} を失いました",
    preheader: "DNS レコードが 7 日間ありませんでした。",
    title: "ドメインが失われました",
    lead:
      "ドメイン {{domain}} の TXT レコードが 7 日間ありませんでした。このドメインのアドレスにシングルサインオンは" +
      "適用されなくなりました。現在のセッションは継続します。",
    button: "ドメインを再び確認",
    after: "ドメインを再び使用するには、レコードを DNS に追加し、ページでドメインを確認してください。",
  },
  domain_transferred: {
    subject: "ドメイン {{domain}} が移管されました",
    preheader: "{{brand}} の運営者がドメインの所有について決定しました。",
    title: "ドメインが移管されました",
    lead: "{{brand}} の運営者が、ドメイン {{domain}} を所有する組織を決定しました。",
    gained:
      "このドメインは組織のものになりました。TXT レコードを DNS に残してください。サービスは 1 日に 1 回確認します。",
    givenUp:
      "このドメインは組織のものではなくなりました。このドメインのアドレスにシングルサインオンは適用されません。" +
      "現在のセッションは継続します。",
    button: "ドメインを確認",
    after: "ご不明な点は {{brand}} の運営者にお問い合わせください。",
  },
  sso_identity_conflict: {
    subject: "シングルサインオンによるログインを拒否しました",
    preheader: "ID プロバイダの 2 つのアカウントが同じアドレス {{address}} を持っています。",
    title: "ログインを拒否しました",
    lead:
      "ID プロバイダで、メンバーのアドレス {{address}} を持つ別のアカウントが見つかりました。" +
      "別のアカウントがメンバーとしてアクセスすることを防ぐため、接続「{{connection}}」による {{time}} " +
      "のログインを拒否しました。",
    button: "シングルサインオンを確認",
    after:
      "メンバーが ID プロバイダで新しいアカウントを使う場合は、ページで以前のアカウントの連携を解除してください。そうでない場合は、ID プロバイダのアドレスを修正してください。",
  },
  sso_linked: {
    subject: "{{organization_name}} からログインできるようになりました",
    preheader: "{{organization_name}} の ID プロバイダから、この組織にのみログインできます。",
    title: "シングルサインオンを設定しました",
    lead:
      "{{brand}} のアカウントが、{{organization_name}} の ID プロバイダのアカウントと連携さ" +
      "れました。このログインで利用できるのはこの組織のみです。パスワード、ほかのログイン方法、ほかの組織は変わりません。",
    button: "アカウントを確認",
    after: "このログインに心当たりがない場合は、{{organization_name}} の管理者に連絡してください。",
  },
  organization_factor_enabled: {
    subject: "{{organization_name}} の 2 つ目の認証要素が設定されました",
    preheader: "{{device}}、{{time}}。心当たりがない場合は、{{organization_name}} の管理者に連絡してください。",
    title: "2 つ目の認証要素が設定されました",
    lead: "{{organization_name}} のシングルサインオン用に認証アプリが設定されました。アプリのコードはこのログインの後にのみ必要です。パスワードとほかのログイン方法は変わりません。",
    button: "アカウントを確認",
    after:
      "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、直ちに {{organization_name}} の管理者に連絡してください。",
  },
  sso_break_glass_used: {
    subject: "緊急アクセスが使用されました",
    preheader: "{{address}} が ID プロバイダを使わずにログインしました。",
    title: "緊急アクセスが使用されました",
    lead: "組織ではシングルサインオンが必須ですが、{{address}} が {{time}} に緊急アクセスでログインしました。このセッションは 1 時間後に終了します。",
    button: "シングルサインオンを確認",
    after: "心当たりがない場合は、このユーザーのセッションを終了し、ポリシーを変更してください。",
  },
  sso_paused: {
    subject: "シングルサインオンの必須化を 24 時間停止中",
    preheader: "{{brand}} の運営者が必須化を一時停止しました。",
    title: "必須化は一時停止中です",
    lead: "{{brand}} の運営者が、組織のシングルサインオンの必須化を {{time}} まで一時停止しました。メンバーは各自の方法でログインできます。理由：{{reason}}",
    button: "シングルサインオンを確認",
    after: "必須化は自動的に再開します。ご質問は {{brand}} の運営者にお問い合わせください。",
  },
  requirement_lifted: {
    subject: "組織の必須化が解除された可能性があります",
    preheader: "設定「{{setting}}」は必須化の一部でした。",
    title: "必須化に関する設定の変更",
    lead: "組織はシングルサインオンまたは 2 つ目の要素を必須にしています。その一部である設定「{{setting}}」が、ポリシーを変更できるメンバーによって {{time}} に変更または削除されました。",
    button: "シングルサインオンを確認",
    after: "この変更に心当たりがない場合は、設定を元に戻し、監査ログで変更した人を確認してください。",
  },
  sso_certificate_expiring: {
    subject: "ID プロバイダの証明書は {{time}} に期限切れになります",
    preheader: "接続「{{connection}}」がこの証明書を使用しています。",
    title: "証明書の有効期限",
    lead: "接続「{{connection}}」の ID プロバイダの証明書は {{time}} まで有効です。次の証明書を ID プロバイダの管理者に依頼してください。",
    button: "接続を確認する",
    after:
      "ログインが失敗しないように、次の証明書を古い証明書に加えて登録してください。メタデータのアドレスがあれば、サービスが新しい証明書を自動的に読み込みます。",
  },
  sso_secret_expiring: {
    subject: "ID プロバイダのクライアントシークレットは {{time}} に期限切れになります",
    preheader: "接続「{{connection}}」がこのシークレットを使用しています。",
    title: "クライアントシークレットの有効期限",
    lead: "接続「{{connection}}」のクライアントシークレットは {{time}} まで有効です。ID プロバイダで新しいシークレットを作成してください。",
    button: "接続を確認する",
    after: "ログインが失敗しないように、期限が切れる前に新しいシークレットと新しい日付を入力してください。",
  },
  sso_certificates_changed: {
    subject: "接続「{{connection}}」の証明書が変更されました",
    preheader: "ID プロバイダのメタデータが {{time}} に変更されました。",
    title: "証明書が変更されました",
    lead: "サービスは {{time}} に接続「{{connection}}」の ID プロバイダの新しいメタデータを読み込み、接続の証明書を変更しました。",
    button: "接続を確認する",
    after: "この変更に心当たりがない場合は、接続を無効にし、ID プロバイダの管理者にお問い合わせください。",
  },
  sso_setup_link: {
    subject: "{{organization_name}} のシングルサインオンの設定",
    preheader: "{{inviter_name}} さんから ID プロバイダの接続の依頼です。",
    title: "シングルサインオンの設定",
    lead:
      "{{inviter_name}} さんから、{{brand}} での {{organization_name}} のシングルサインオンの設定を依頼されています。アカウントは必要ありません。" +
      "リンクは 1 つのブラウザでのみ有効です。ID プロバイダを管理しているブラウザで開いてください。",
    button: "設定を開始",
    after: "リンクを転送しないでください。心当たりがない場合は、このメールを無視してください。",
  },
  sso_activation_requested: {
    subject: "接続の有効化をお待ちしています",
    preheader: "{{connection}} の設定が完了しました。",
    title: "接続を有効にしてください",
    lead: "接続「{{connection}}」の設定が、設定リンクから {{time}} に完了しました。設定内容を確認してください。オーナーが接続を有効にすると、メンバーがログインできるようになります。",
    button: "接続を確認",
    after: "設定した人に心当たりがない場合は、接続を有効にせず、設定リンクを取り消してください。",
  },
};
