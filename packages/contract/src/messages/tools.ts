/** Texts of the network tools. */
import { defineMessages } from '../messages.ts'

export const toolTexts = defineMessages({
  unknown_tool: {
    en: 'There is no such tool. Choose ping, telnet, nmap, tcpdump or traceroute.',
    zh: '没有这个工具，请选择 ping、telnet、nmap、tcpdump 或 traceroute。',
    ja: 'そのツールはありません。ping、telnet、nmap、tcpdump、traceroute から選んでください。',
  },
  no_target: {
    en: 'Enter an address, a host name, a range or a network.',
    zh: '请输入地址、主机名、地址段或网段。',
    ja: 'アドレス、ホスト名、範囲、またはネットワークを入力してください。',
  },
  not_an_address: {
    en: '{target}: skipped, neither an address nor a name that can be resolved',
    zh: '{target}：已跳过，不是地址，也不是可解析的主机名',
    ja: '{target}：スキップしました。アドレスでも解決できる名前でもありません',
  },
  too_many: {
    en: 'Enter at most {max} addresses at a time.',
    zh: '一次最多输入 {max} 个地址。',
    ja: '一度に指定できるアドレスは {max} 件までです。',
  },
  forbidden_address: {
    en: '{target}: skipped, link-local addresses are not allowed, since clouds serve credentials there',
    zh: '{target}：已跳过，不允许访问链路本地地址，云平台在该处提供凭据',
    ja: '{target}：スキップしました。クラウドが認証情報を提供するリンクローカルアドレスは使用できません',
  },
  own_address: {
    en: '{target}: skipped, only system administrators may examine the server itself',
    zh: '{target}：已跳过，只有系统管理员可以检查服务器自身',
    ja: '{target}：スキップしました。サーバー自身を調べられるのはシステム管理者だけです',
  },
  invalid_port: {
    en: '{port} is not a port: enter numbers from 1 to 65535, at most {max}, or ranges such as 8000-8100.',
    zh: '{port} 不是端口：请输入 1 到 65535 的数字或范围（例如 8000-8100），最多 {max} 项。',
    ja: '{port} はポートではありません。1 から 65535 の番号、または 8000-8100 のような範囲を {max} 件まで入力してください。',
  },
  no_interface: {
    en: '{name} is not an interface of the server. It has: {names}.',
    zh: '服务器没有网卡 {name}。可用的网卡：{names}。',
    ja: 'サーバーにインターフェース {name} はありません。使用できるもの：{names}',
  },
  capture_denied: {
    en: 'Only system administrators may capture packets: they carry the data of all organizations.',
    zh: '只有系统管理员可以抓包：数据包包含所有组织的数据。',
    ja: 'パケットを取得できるのはシステム管理者だけです。すべての組織のデータが含まれるためです。',
  },
  busy: {
    en: 'Another tool of yours is still running. Stop it first.',
    zh: '您还有一个工具正在运行，请先停止它。',
    ja: '別のツールが実行中です。先に停止してください。',
  },
  missing_program: {
    en: '{program} is not installed on the server. On Debian and Ubuntu, install it by: apt-get install {package}',
    zh: '服务器上没有安装 {program}。在 Debian 和 Ubuntu 上可执行：apt-get install {package}',
    ja: 'サーバーに {program} がインストールされていません。Debian と Ubuntu では次で導入できます：apt-get install {package}',
  },
  needs_rights: {
    en: '{program} could not open what it needs. The server program needs the right to use raw sockets: setcap cap_net_raw+ep {path}',
    zh: '{program} 没有所需的权限。请授予它使用原始套接字的权限：setcap cap_net_raw+ep {path}',
    ja: '{program} に必要な権限がありません。raw ソケットの権限を与えてください：setcap cap_net_raw+ep {path}',
  },
  addresses: {
    en: '{count} {count|address|addresses}',
    zh: '共 {count} 个地址',
    ja: 'アドレス {count} 件',
  },
  ok: { en: '{target}: OK', zh: '{target}：成功', ja: '{target}：成功' },
  failed: { en: '{target}: FAILED', zh: '{target}：失败', ja: '{target}：失敗' },
  summary: {
    en: 'Done: {ok} of {count} succeeded',
    zh: '完成：{count} 个中 {ok} 个成功',
    ja: '完了：{count} 件中 {ok} 件成功',
  },
  connecting: {
    en: 'Connecting to {target}, port {port} …',
    zh: '正在连接 {target} 的端口 {port} …',
    ja: '{target} のポート {port} に接続しています…',
  },
  connected: {
    en: 'Connected to {target}, port {port}, after {milliseconds} ms',
    zh: '已连接 {target} 的端口 {port}，用时 {milliseconds} 毫秒',
    ja: '{target} のポート {port} に {milliseconds} ミリ秒で接続しました',
  },
  refused: {
    en: 'Port {port} of {target} is closed: the host refused the connection',
    zh: '{target} 的端口 {port} 已关闭：主机拒绝连接',
    ja: '{target} のポート {port} は閉じています。ホストが接続を拒否しました',
  },
  silent: {
    en: 'No answer from {target}, port {port}, within {seconds} s: the host is down or a firewall drops the connection',
    zh: '{target} 的端口 {port} 在 {seconds} 秒内没有响应：主机未启动或被防火墙丢弃',
    ja: '{target} のポート {port} から {seconds} 秒以内に応答がありません。ホストが停止しているか、ファイアウォールが破棄しています',
  },
  unreachable: {
    en: 'Cannot reach {target}, port {port}: {reason}',
    zh: '无法访问 {target} 的端口 {port}：{reason}',
    ja: '{target} のポート {port} に到達できません：{reason}',
  },
  capturing: {
    en: 'Capturing headers on {interfaces}; filter: {filter}. Stop it when you have seen enough.',
    zh: '正在 {interfaces} 上抓取报文头，过滤条件：{filter}。看够后请停止。',
    ja: '{interfaces} でヘッダーを取得しています。フィルター：{filter}。十分に確認したら停止してください。',
  },
  stopped_by_time: {
    en: 'Stopped after {minutes} minutes. Enter fewer addresses to finish in time.',
    zh: '已在 {minutes} 分钟后停止，请减少地址后重试。',
    ja: '{minutes} 分で停止しました。アドレスを減らして再実行してください。',
  },
  stopped_by_size: {
    en: 'Stopped: the output is longer than {megabytes} MB. Narrow it down.',
    zh: '已停止：输出超过 {megabytes} MB，请缩小范围。',
    ja: '停止しました。出力が {megabytes} MB を超えています。対象を絞ってください。',
  },
})
