/** Japanese: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "ブロックされたホスト",
    lead: "ブロックされたホストの文書はアプリケーションを識別しません。ユーザーはログインできず、アクセスは終了しています。",
    none: "ブロックされたホストはありません。",
    host: "ホスト",
    hostHint:
      "例：app.example.com、または example.com 以下のすべてのホストを表す *.example.com。アプリケーションのアクセスは直ちに終了します。",
    since: "ブロック日",
    add: "ホストをブロック",
    addAction: "ホストをブロック",
    added: "ホストをブロックしました。",
    remove: "ブロック解除",
    removeTitle: (host) => `${host} のブロックを解除しますか？`,
    removeText: "ユーザーはこのホストのアプリケーションに再びログインできます。終了したアクセスは元に戻りません。",
    removed: "ホストのブロックを解除しました。",
    full: "すでに 1,000 個のホストがブロックされています。先に 1 つ解除してください。",
  },
};
