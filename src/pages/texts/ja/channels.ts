/** Japanese: people behind ways to power. */

import type { channelTexts as english } from "../en/channels.ts";
import type { Shape } from "../shape.ts";

export const channelTexts: Shape<typeof english> = {
  channels: {
    title: "新しい権限の確認",
    text: "次の担当者は権限が少ないものの、付与する権限に至る経路を管理しています：",
    action: "それでも付与する",
    note: "接続でログインするメンバーは、次のログインの前に会社アカウントを自分でリンクする必要があります。",
    nobody: "削除されたアカウント",
    holders: "このアカウントにアクセスできる他の担当者",
    holdersLead: "権限の少ない担当者がいる場合、新しい権限には確認が必要です。",
    kinds: {
      linked_identity: "メンバーをログインさせる接続",
      directory_key: "ディレクトリのキー",
      setup_key: "設定リンクで作成されたディレクトリのキー",
      group_mapping: "グループを管理するキー",
      role_rule: "グループを通知する接続",
      default_role: "ユーザーが参加する接続",
      claimed_domain: "ユーザーが参加するドメイン",
      setup_link: "設定リンク",
    },
  },
};
