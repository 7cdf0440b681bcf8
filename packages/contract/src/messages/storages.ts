/** Storages for recordings, files and commands outside of the server. */
import { defineMessages } from '../messages.ts'

/** Why a storage did not do its work. */
export const storageFailures = defineMessages({
  unreachable: {
    en: '{address} cannot be reached. Check the address, and that its port is open for this server.',
    zh: '无法连接 {address}，请检查地址，并确认其端口对本服务器开放。',
    ja: '{address} に接続できません。アドレスと、このサーバーからポートに接続できることを確認してください。',
  },
  timeout: {
    en: '{address} does not answer in time. Check the network between this server and the storage.',
    zh: '{address} 未及时响应，请检查本服务器与存储之间的网络。',
    ja: '{address} が時間内に応答しません。このサーバーとストレージの間のネットワークを確認してください。',
  },
  untrusted: {
    en: 'The certificate of {address} is not trusted. Install a certificate of a known authority at the storage.',
    zh: '{address} 的证书不受信任，请在存储端安装受信任机构签发的证书。',
    ja: '{address} の証明書は信頼されていません。既知の認証局の証明書をストレージに設定してください。',
  },
  denied: {
    en: '{address} rejects the credentials, or they lack permission to read, write and delete there. Check both.',
    zh: '{address} 拒绝了凭据，或该凭据没有读取、写入和删除的权限，请检查。',
    ja: '{address} が認証情報を拒否したか、読み取り・書き込み・削除の権限がありません。両方を確認してください。',
  },
  no_container: {
    en: '“{container}” does not exist at the storage. Create it there, or correct its name.',
    zh: '存储中不存在“{container}”，请先创建或更正名称。',
    ja: '「{container}」はストレージにありません。作成するか、名前を修正してください。',
  },
  unavailable: {
    en: '{address} is not available at present (HTTP {status}). Files wait on this server and are sent later.',
    zh: '{address} 暂时不可用（HTTP {status}）。文件保留在本服务器上，稍后发送。',
    ja: '{address} は現在利用できません（HTTP {status}）。ファイルはこのサーバーに残り、後で送信されます。',
  },
  bad_answer: {
    en: '{address} does not answer like a storage of this type ({reason}). Check the type and the address.',
    zh: '{address} 的响应不符合此存储类型（{reason}），请检查类型和地址。',
    ja: '{address} の応答はこの種類のストレージのものではありません（{reason}）。種類とアドレスを確認してください。',
  },
  forbidden_address: {
    en: '{address} is a link-local address, which storages must not use. Enter the address of the storage itself.',
    zh: '{address} 是链路本地地址，不能用于存储，请填写存储本身的地址。',
    ja: '{address} はリンクローカルアドレスで、ストレージには使えません。ストレージ自体のアドレスを入力してください。',
  },
  host_key: {
    en: 'The host key of {address} has changed. If the change is expected, clear the host key of the storage.',
    zh: '{address} 的主机密钥已变更。如属预期变更，请清空存储的主机密钥。',
    ja: '{address} のホスト鍵が変わりました。想定どおりなら、ストレージのホスト鍵を空にしてください。',
  },
  altered: {
    en: '“{key}” at the storage is not what was sent: it is damaged or was changed there.',
    zh: '存储中的“{key}”与发送的内容不一致：已损坏或被修改。',
    ja: 'ストレージの「{key}」は送信した内容と一致しません。破損したか、変更されています。',
  },
  not_there: {
    en: '“{key}” is not at the storage any more.',
    zh: '存储中已没有“{key}”。',
    ja: '「{key}」はもうストレージにありません。',
  },
  too_large: {
    en: '{address} sends answers that are larger than expected. Check that it is the storage.',
    zh: '{address} 返回的内容超出预期大小，请确认它是正确的存储。',
    ja: '{address} の応答が想定より大きすぎます。正しいストレージか確認してください。',
  },
})

export const storageMessages = defineMessages({
  part_wrong: {
    en: 'Use only letters, digits, dots, hyphens and underscores, and begin with a letter or digit.',
    zh: '只能使用字母、数字、点、连字符和下划线，且以字母或数字开头。',
    ja: '英数字、ドット、ハイフン、アンダースコアだけを使い、英数字で始めてください。',
  },
  endpoint_path: {
    en: 'Enter the address without a path, such as https://s3.example.com.',
    zh: '请填写不含路径的地址，例如 https://s3.example.com。',
    ja: 'パスを含まないアドレスを入力してください（例: https://s3.example.com）。',
  },
  host_wrong: {
    en: 'Enter an address with its port, such as https://user:password@host:9200, without path and #.',
    zh: '请填写带端口的地址，例如 https://user:password@host:9200，不能包含路径和 #。',
    ja: 'ポート付きのアドレスを、パスと # を含めずに入力してください（例: https://user:password@host:9200）。',
  },
  secret_again: {
    en: 'Enter this again: the address has changed, and the stored value would be sent to the new one.',
    zh: '地址已变更，请重新输入此项：已保存的值会被发送到新地址。',
    ja: 'アドレスが変更され、保存済みの値が新しい宛先に送られます。もう一度入力してください。',
  },
  type_fixed: {
    en: 'The type of a storage cannot be changed. Create another storage.',
    zh: '存储类型不能修改，请新建存储。',
    ja: 'ストレージの種類は変更できません。別のストレージを作成してください。',
  },
  holds_files: {
    en: 'This storage holds {count} files. Move them to another storage first.',
    zh: '该存储中有 {count} 个文件，请先迁移到其它存储。',
    ja: 'このストレージには {count} 個のファイルがあります。先に別のストレージへ移してください。',
  },
  no_files: {
    en: 'This storage keeps no recordings. Choose another one.',
    zh: '该存储不保存录像，请选择其它存储。',
    ja: 'このストレージは録画を保存しません。別のものを選んでください。',
  },
  recording_away: {
    en: 'The recording is at the storage “{storage}”, which does not return it: {reason}',
    zh: '录像位于存储“{storage}”，但无法取回：{reason}',
    ja: '録画はストレージ「{storage}」にありますが、取得できません：{reason}',
  },
  storages_broken_subject: {
    en: 'Storages do not work',
    zh: '存储连接异常',
    ja: 'ストレージに接続できません',
  },
  storages_broken_body: {
    en: 'These storages did not work when they were tested. Recordings and commands wait on the server until they do:\n{storages}',
    zh: '以下存储未通过连接测试，恢复之前录像和命令保留在服务器上：\n{storages}',
    ja: '次のストレージは接続テストに失敗しました。復旧するまで録画とコマンドはサーバーに残ります：\n{storages}',
  },
  no_commands: {
    en: 'Commands can only be moved to a storage outside of the server. Choose another one.',
    zh: '命令只能迁移到服务器以外的存储，请选择其它存储。',
    ja: 'コマンドはサーバー外のストレージにのみ移せます。別のものを選んでください。',
  },
  moved_commands: {
    en: '{day}: {count} commands moved',
    zh: '{day}：已迁移 {count} 条命令',
    ja: '{day}：{count} 件のコマンドを移動',
  },
  commands_rejected: {
    en: 'The storage rejects {count} commands. They stay on the server; check the mapping of the index.',
    zh: '存储拒绝了 {count} 条命令，它们保留在服务器上，请检查索引的映射。',
    ja: 'ストレージが {count} 件のコマンドを拒否しました。サーバーに残っています。インデックスのマッピングを確認してください。',
  },
  command_days_failed: {
    en: '{failed} days were not moved completely. Repair the storage and repeat them.',
    zh: '{failed} 天的命令未能全部迁移，请修复存储后重试。',
    ja: '{failed} 日分のコマンドを移しきれませんでした。ストレージを修復して再実行してください。',
  },
  storage_gone: {
    en: 'The storage was deleted. Choose another one and start again.',
    zh: '该存储已被删除，请选择其它存储后重新开始。',
    ja: 'ストレージは削除されました。別のストレージを選んでやり直してください。',
  },
  days_failed: {
    en: '{failed} days were not moved completely. Repair the storage and repeat them.',
    zh: '{failed} 天的文件未能全部迁移，请修复存储后重试。',
    ja: '{failed} 日分のファイルを移しきれませんでした。ストレージを修復して再実行してください。',
  },
  moved_day: {
    en: '{day}: {count} files moved',
    zh: '{day}：已迁移 {count} 个文件',
    ja: '{day}：{count} 個のファイルを移動',
  },
})
