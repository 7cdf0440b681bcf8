/** Texts of the cloud center. */
import { defineMessages } from '../messages.ts'

/** Labels of resources and fields. */
export const cloudLabels = defineMessages({
  account: { en: 'Cloud account', zh: '云账号', ja: 'クラウドアカウント' },
  strategy: { en: 'Strategy', zh: '策略', ja: 'ストラテジー' },
  strategyrule: { en: 'Strategy rule', zh: '策略规则', ja: 'ストラテジーのルール' },
  strategyaction: { en: 'Strategy action', zh: '策略动作', ja: 'ストラテジーの動作' },
  syncinstancetask: { en: 'Synchronization task', zh: '同步任务', ja: '同期タスク' },
  syncinstancetaskexecution: { en: 'Synchronization', zh: '同步执行', ja: '同期の実行' },
  syncinstancedetail: { en: 'Synchronized instance', zh: '同步的实例', ja: '同期したインスタンス' },
  provider: { en: 'Provider', zh: '云服务商', ja: 'プロバイダー' },
  provider_display: { en: 'Provider', zh: '云服务商', ja: 'プロバイダー' },
  attrs: { en: 'Attributes', zh: '属性', ja: '属性' },
  validity: { en: 'Valid', zh: '有效', ja: '有効' },
  validity_display: { en: 'Validity', zh: '有效性', ja: '有効性' },
  priority: { en: 'Priority', zh: '优先级', ja: '優先度' },
  'strategy.priority.help': {
    en: '1-100; strategies with a higher value are applied first. All matching strategies apply; of several platforms or domains, the first is used.',
    zh: '1-100，数值越大越先应用。所有匹配的策略都会应用；设置了多个平台或网域时，使用最先匹配的。',
    ja: '1〜100。値が大きいものほど先に適用されます。一致するすべてのストラテジーが適用され、プラットフォームやドメインが複数ある場合は最初のものが使われます。',
  },
  strategy_rules: { en: 'Rules', zh: '规则', ja: 'ルール' },
  'strategy.strategy_rules.help': {
    en: 'An instance matches when all rules match. A strategy without rules matches every instance.',
    zh: '所有规则都匹配时，实例才匹配。没有规则的策略匹配所有实例。',
    ja: 'すべてのルールに一致したインスタンスが対象です。ルールのないストラテジーはすべてのインスタンスに一致します。',
  },
  strategy_actions: { en: 'Actions', zh: '动作', ja: '動作' },
  attr: { en: 'Attribute', zh: '属性', ja: '属性' },
  match: { en: 'Match', zh: '匹配方式', ja: '一致条件' },
  protocols: { en: 'Protocols', zh: '协议', ja: 'プロトコル' },
  regions: { en: 'Regions', zh: '地域', ja: 'リージョン' },
  region: { en: 'Region', zh: '地域', ja: 'リージョン' },
  account_display: { en: 'Cloud account', zh: '云账号', ja: 'クラウドアカウント' },
  node_display: { en: 'Default node', zh: '默认节点', ja: '既定のノード' },
  hostname_strategy: { en: 'Hostname', zh: '主机名称策略', ja: 'ホスト名' },
  ip_network_segment_group: { en: 'IP networks', zh: 'IP 网段', ja: 'IP ネットワーク' },
  'ip_network_segment_group.help': {
    en: 'Only instances with an address in one of these are synchronized: * for all, an address, a network (10.0.0.0/8) or a range (10.1.1.1-10.1.1.20).',
    zh: '只同步地址在其中的实例：* 表示全部，也可以是地址、网段（10.0.0.0/8）或范围（10.1.1.1-10.1.1.20）。',
    ja: 'このいずれかに含まれるアドレスのインスタンスだけを同期します。* はすべて、ほかにアドレス、ネットワーク（10.0.0.0/8）、範囲（10.1.1.1-10.1.1.20）を指定できます。',
  },
  sync_ip_type: { en: 'Address to use', zh: '同步 IP 类型', ja: '使用するアドレス' },
  is_always_update: { en: 'Always update', zh: '总是更新', ja: '常に更新' },
  'is_always_update.help': {
    en: 'Each synchronization also updates the name, the address and what strategies set of existing assets.',
    zh: '每次同步时，也更新已有资产的名称、地址以及策略设置的内容。',
    ja: '同期のたびに、既存の資産の名前、アドレス、ストラテジーによる設定も更新します。',
  },
  released_action: { en: 'Released instances', zh: '已释放的实例', ja: '解放されたインスタンス' },
  'released_action.help': {
    en: 'What happens to the asset when the provider no longer has the instance. Sessions and logs are always kept.',
    zh: '云服务商不再有该实例时，如何处理对应资产。会话和日志始终保留。',
    ja: 'プロバイダーにインスタンスがなくなったときの資産の扱いです。セッションとログは常に残ります。',
  },
  history_count: { en: 'Synchronizations', zh: '执行次数', ja: '実行回数' },
  instance_count: { en: 'Instances', zh: '实例数量', ja: 'インスタンス数' },
  date_last_sync: { en: 'Last synchronization', zh: '最后同步日期', ja: '前回の同期日時' },
  date_sync: { en: 'Date synchronized', zh: '同步日期', ja: '同期日時' },
  task: { en: 'Task', zh: '任务', ja: 'タスク' },
  execution: { en: 'Synchronization', zh: '同步执行', ja: '同期の実行' },
  trigger: { en: 'Trigger', zh: '触发方式', ja: 'トリガー' },
  summary: { en: 'Summary', zh: '汇总', ja: '概要' },
  preview: { en: 'Preview', zh: '预览', ja: 'プレビュー' },
  is_preview: { en: 'Preview', zh: '预览', ja: 'プレビュー' },
  instance_id: { en: 'Instance ID', zh: '实例 ID', ja: 'インスタンス ID' },
  instance_name: { en: 'Instance name', zh: '实例名称', ja: 'インスタンス名' },
  asset: { en: 'Asset', zh: '资产', ja: '資産' },
  asset_ip: { en: 'Address', zh: '地址', ja: 'アドレス' },
  applied: { en: 'Applied settings', zh: '已应用的设置', ja: '適用済みの設定' },
  change: { en: 'Change', zh: '变更', ja: '変更' },
  seen_in: { en: 'Last seen in', zh: '最后出现于', ja: '最後に見つかった実行' },
  is_periodic: { en: 'Periodic', zh: '周期执行', ja: '定期実行' },
  interval: { en: 'Interval (hours)', zh: '间隔（小时）', ja: '間隔（時間）' },
  crontab: { en: 'Crontab', zh: 'Crontab', ja: 'Crontab' },
  periodic_display: { en: 'Schedule', zh: '时间', ja: 'スケジュール' },
})

/** Labels of the attributes of accounts, by provider. */
export const providerAttributes = defineMessages({
  access_key_id: { en: 'Access key ID', zh: 'Access key ID', ja: 'アクセスキー ID' },
  access_key_secret: { en: 'Access key secret', zh: 'Access key secret', ja: 'アクセスキーシークレット' },
  client_id: { en: 'Client ID', zh: '客户端 ID', ja: 'クライアント ID' },
  client_secret: { en: 'Client secret', zh: '客户端密钥', ja: 'クライアントシークレット' },
  tenant_id: { en: 'Tenant ID', zh: '租户 ID', ja: 'テナント ID' },
  subscription_id: { en: 'Subscription ID', zh: '订阅 ID', ja: 'サブスクリプション ID' },
  service_account_key: { en: 'Service account key', zh: '服务账号密钥', ja: 'サービスアカウントキー' },
  'service_account_key.help': {
    en: 'The JSON key file of a service account. Its project is synchronized.',
    zh: '服务账号的 JSON 密钥文件。同步该文件所属的项目。',
    ja: 'サービスアカウントの JSON キーファイル。そのプロジェクトが同期されます。',
  },
  base_url: { en: 'API address', zh: 'API 地址', ja: 'API アドレス' },
  'base_url.help': {
    en: 'For the public cloud https://api.ucloud.cn.',
    zh: '公有云为 https://api.ucloud.cn。',
    ja: 'パブリッククラウドでは https://api.ucloud.cn です。',
  },
  public_key: { en: 'Public key', zh: '公钥', ja: '公開鍵' },
  private_key: { en: 'Private key', zh: '私钥', ja: '秘密鍵' },
  project: { en: 'Project ID', zh: '项目 ID', ja: 'プロジェクト ID' },
  auth_url: { en: 'Authentication URL', zh: '认证地址', ja: '認証 URL' },
  'auth_url.help': {
    en: 'The address of Keystone, for example https://keystone.example.com:5000/v3.',
    zh: 'Keystone 的地址，例如 https://keystone.example.com:5000/v3。',
    ja: 'Keystone のアドレス。例：https://keystone.example.com:5000/v3',
  },
  user_domain_name: { en: 'User domain', zh: '用户域名称', ja: 'ユーザードメイン' },
  host: { en: 'Host', zh: '主机', ja: 'ホスト' },
  port: { en: 'Port', zh: '端口', ja: 'ポート' },
  username: { en: 'Username', zh: '用户名', ja: 'ユーザー名' },
  password: { en: 'Password', zh: '密码', ja: 'パスワード' },
  token: { en: 'Token', zh: '令牌', ja: 'トークン' },
  token_id: { en: 'API token ID', zh: 'API 令牌 ID', ja: 'API トークン ID' },
  token_secret: { en: 'API token secret', zh: 'API 令牌密钥', ja: 'API トークンシークレット' },
  api_endpoint: { en: 'API endpoint', zh: 'API 端点', ja: 'API エンドポイント' },
  ca_cert: { en: 'CA certificate', zh: 'CA 证书', ja: 'CA 証明書' },
  'ca_cert.help': {
    en: 'PEM. Needed when the certificate of the server is not signed by a public authority.',
    zh: 'PEM 格式。服务器证书不是由公共机构签发时需要填写。',
    ja: 'PEM 形式。サーバーの証明書が公的な認証局の署名でない場合に必要です。',
  },
  ip_group: { en: 'IP addresses', zh: 'IP 组', ja: 'IP アドレス' },
  'ip_group.help': {
    en: 'Addresses, networks (192.168.1.0/24) or ranges (192.168.1.10-192.168.1.20); at most 65,536 addresses in all.',
    zh: '地址、网段（192.168.1.0/24）或范围（192.168.1.10-192.168.1.20），总计不超过 65536 个地址。',
    ja: 'アドレス、ネットワーク（192.168.1.0/24）、範囲（192.168.1.10-192.168.1.20）。合計 65,536 アドレスまで。',
  },
  test_port: { en: 'Port to test', zh: '测试端口', ja: '確認するポート' },
  'test_port.help': {
    en: 'Addresses that answer on this port are synchronized. 0 accepts all addresses without asking them.',
    zh: '在此端口有响应的地址会被同步；0 表示不测试，接受所有地址。',
    ja: 'このポートに応答するアドレスが同期されます。0 は確認せず、すべてのアドレスを受け入れます。',
  },
  test_timeout: { en: 'Timeout (seconds)', zh: '超时时间（秒）', ja: 'タイムアウト（秒）' },
  hostname_prefix: { en: 'Hostname prefix', zh: '主机名前缀', ja: 'ホスト名の接頭辞' },
})

/** Names of providers. */
export const providerNames = defineMessages({
  aws_china: { en: 'AWS (China)', zh: 'AWS（中国）', ja: 'AWS（中国）' },
  aws_international: { en: 'AWS (International)', zh: 'AWS（国际）', ja: 'AWS（国際）' },
  azure: { en: 'Azure (China)', zh: 'Azure（中国）', ja: 'Azure（中国）' },
  azure_international: { en: 'Azure (International)', zh: 'Azure（国际）', ja: 'Azure（国際）' },
  gcp: { en: 'Google Cloud', zh: '谷歌云', ja: 'Google Cloud' },
  aliyun: { en: 'Alibaba Cloud', zh: '阿里云', ja: 'Alibaba Cloud' },
  qcloud: { en: 'Tencent Cloud', zh: '腾讯云', ja: 'Tencent Cloud' },
  qcloud_lighthouse: {
    en: 'Tencent Cloud Lighthouse',
    zh: '腾讯云（轻量应用服务器）',
    ja: 'Tencent Cloud Lighthouse',
  },
  huaweicloud: { en: 'Huawei Cloud', zh: '华为云', ja: 'Huawei Cloud' },
  baiducloud: { en: 'Baidu AI Cloud', zh: '百度智能云', ja: 'Baidu AI Cloud' },
  jdcloud: { en: 'JD Cloud', zh: '京东云', ja: 'JD Cloud' },
  kingsoftcloud: { en: 'Kingsoft Cloud', zh: '金山云', ja: 'Kingsoft Cloud' },
  ucloud: { en: 'UCloud', zh: 'UCloud 优刻得', ja: 'UCloud' },
  qingcloud_private: { en: 'QingCloud', zh: '青云', ja: 'QingCloud' },
  nutanix: { en: 'Nutanix', zh: 'Nutanix', ja: 'Nutanix' },
  openstack: { en: 'OpenStack', zh: 'OpenStack', ja: 'OpenStack' },
  vmware: { en: 'VMware vSphere', zh: 'VMware vSphere', ja: 'VMware vSphere' },
  proxmox: { en: 'Proxmox VE', zh: 'Proxmox VE', ja: 'Proxmox VE' },
  k8s: { en: 'Kubernetes nodes', zh: 'Kubernetes 节点', ja: 'Kubernetes ノード' },
  lan: { en: 'Local network', zh: '局域网', ja: 'ローカルネットワーク' },
})

export const accountValidity = defineMessages({
  valid: { en: 'Tested successfully', zh: '测试通过', ja: '確認済み' },
  unknown: { en: 'Not tested, or failed', zh: '未测试或测试失败', ja: '未確認、または失敗' },
})

export const cloudErrors = defineMessages({
  provider_fixed: {
    en: 'The provider of an account cannot be changed. Create another account.',
    zh: '账号的云服务商不能修改，请创建新的账号。',
    ja: 'アカウントのプロバイダーは変更できません。別のアカウントを作成してください。',
  },
  secret_again: {
    en: 'Enter this again: another attribute of the account changed, and the stored value would be sent to it.',
    zh: '账号的其他属性已变更，请重新输入此项：已保存的值会被发送到新的目标。',
    ja: 'アカウントのほかの属性が変更され、保存済みの値が新しい宛先に送られます。もう一度入力してください。',
  },
  account_in_use: {
    en: 'Synchronization tasks use this account: {names}. Delete them first.',
    zh: '以下同步任务正在使用该账号：{names}。请先删除这些任务。',
    ja: '次の同期タスクがこのアカウントを使用しています：{names}。先にそれらを削除してください。',
  },
  too_many_addresses: {
    en: 'These are {count} addresses; at most {max} are allowed. Use several accounts with smaller networks.',
    zh: '共有 {count} 个地址，最多允许 {max} 个。请拆分为多个账号，使用更小的网段。',
    ja: 'アドレスが {count} 個あります。最大 {max} 個です。小さなネットワークに分けて複数のアカウントを使ってください。',
  },
  not_an_address_range: {
    en: '“{input}” is not an address, a network or a range of one.',
    zh: '“{input}”不是地址、网段或地址范围。',
    ja: '「{input}」はアドレス、ネットワーク、アドレス範囲のいずれでもありません。',
  },
  bad_pattern: {
    en: 'This is not a valid regular expression: {fault}',
    zh: '不是有效的正则表达式：{fault}',
    ja: '正しい正規表現ではありません：{fault}',
  },
  same_twice: { en: 'The same entry exists twice.', zh: '存在重复的条目。', ja: '同じ項目が重複しています。' },
  only_one: {
    en: 'A strategy can set only one platform and one domain.',
    zh: '一个策略只能设置一个平台和一个网域。',
    ja: 'ストラテジーに設定できるプラットフォームとドメインはそれぞれ 1 つです。',
  },
  not_a_host_platform: {
    en: 'Choose a platform for hosts: synchronized instances become hosts.',
    zh: '请选择主机类平台：同步的实例会成为主机。',
    ja: 'ホスト用のプラットフォームを選択してください。同期したインスタンスはホストになります。',
  },
  template_needs_right: {
    en: 'Accounts of this template get its secret. You need the permission to view the secrets of account templates.',
    zh: '由此模板创建的账号会获得其密文，需要查看账号模板密文的权限。',
    ja: 'このテンプレートのアカウントにはその秘密情報が設定されます。アカウントテンプレートの秘密情報を表示する権限が必要です。',
  },
  account_of_region: {
    en: 'Choose an account first: account_id is missing.',
    zh: '请先选择账号：缺少 account_id。',
    ja: '先にアカウントを選択してください。account_id がありません。',
  },
  not_a_service_account_key: {
    en: 'This is not the key file of a service account. Create a key of the type JSON in the Google Cloud console, and use the whole file.',
    zh: '不是服务账号的密钥文件。请在 Google Cloud 控制台创建 JSON 类型的密钥，并使用完整的文件。',
    ja: 'サービスアカウントのキーファイルではありません。Google Cloud コンソールで JSON 形式のキーを作成し、ファイル全体を使用してください。',
  },
  forbidden_address: {
    en: 'Connections to {address} are not allowed: it is a link-local address, at which machines keep their own credentials. Enter the address of the provider.',
    zh: '不允许连接 {address}：这是链路本地地址，机器的凭据服务使用此类地址。请输入云服务商的地址。',
    ja: '{address} への接続は許可されていません。リンクローカルアドレスには機器自身の認証情報があります。プロバイダーのアドレスを入力してください。',
  },
})

/** Why a provider did not answer a call. */
export const providerFailures = defineMessages({
  unauthorized: {
    en: '{provider} rejected the credentials. Check them in the account.',
    zh: '{provider} 拒绝了凭据，请检查账号中的凭据。',
    ja: '{provider} が認証情報を拒否しました。アカウントの認証情報を確認してください。',
  },
  forbidden: {
    en: 'The account has too few rights at {provider}. Grant it: {right}',
    zh: '该账号在 {provider} 上权限不足，请授予：{right}',
    ja: '{provider} での権限が不足しています。次を付与してください：{right}',
  },
  rate_limited: {
    en: '{provider} still limits the rate of requests after {attempts} attempts. Synchronize later or less often.',
    zh: '重试 {attempts} 次后，{provider} 仍在限制请求频率。请稍后再同步或降低频率。',
    ja: '{attempts} 回試行しましたが、{provider} のリクエスト制限が続いています。時間をおくか、頻度を下げてください。',
  },
  unreachable: {
    en: '{provider} cannot be reached at {address}: {reason}. Check the address, the network and the firewall.',
    zh: '无法连接 {provider}（{address}）：{reason}。请检查地址、网络和防火墙。',
    ja: '{provider}（{address}）に接続できません：{reason}。アドレス、ネットワーク、ファイアウォールを確認してください。',
  },
  forbidden_address: {
    en: '{provider} leads to {address}, a link-local address, to which connections are not allowed. Check the addresses at the provider.',
    zh: '{provider} 指向链路本地地址 {address}，不允许连接此类地址。请检查云服务商处的地址配置。',
    ja: '{provider} がリンクローカルアドレス {address} を示しましたが、このアドレスへの接続は許可されていません。プロバイダー側のアドレスを確認してください。',
  },
  untrusted: {
    en: 'The certificate of {address} is not trusted ({reason}). Enter the certificate of its authority in the account.',
    zh: '{address} 的证书不受信任（{reason}）。请在账号中填写签发机构的证书。',
    ja: '{address} の証明書は信頼されていません（{reason}）。認証局の証明書をアカウントに入力してください。',
  },
  timeout: {
    en: '{provider} did not answer within {seconds} seconds.',
    zh: '{provider} 在 {seconds} 秒内没有响应。',
    ja: '{provider} から {seconds} 秒以内に応答がありませんでした。',
  },
  bad_answer: {
    en: '{provider} sent an answer that is not understood ({reason}). Check the address, and the version of the product.',
    zh: '无法理解 {provider} 的响应（{reason}）。请检查地址和产品版本。',
    ja: '{provider} の応答を解釈できません（{reason}）。アドレスと製品のバージョンを確認してください。',
  },
  no_region: {
    en: '{provider} has no region “{region}” for this account. Choose another one in the task.',
    zh: '{provider} 对该账号没有地域“{region}”，请在任务中选择其他地域。',
    ja: '{provider} のこのアカウントにはリージョン「{region}」がありません。タスクで別のリージョンを選択してください。',
  },
})

/** Lines of the log of a synchronization. */
export const syncLogs = defineMessages({
  begins: {
    en: 'Synchronizing {regions} {regions|region|regions} of {account}.',
    zh: '开始同步 {account} 的 {regions} 个地域。',
    ja: '{account} の {regions} リージョンを同期します。',
  },
  page: {
    en: '{region}: {count} {count|instance|instances} read.',
    zh: '{region}：已读取 {count} 个实例。',
    ja: '{region}：{count} 個のインスタンスを読み取りました。',
  },
  added: {
    en: '{region}: added {name} ({address}).',
    zh: '{region}：新增 {name}（{address}）。',
    ja: '{region}：{name}（{address}）を追加しました。',
  },
  updated: {
    en: '{region}: updated {name} ({address}).',
    zh: '{region}：更新 {name}（{address}）。',
    ja: '{region}：{name}（{address}）を更新しました。',
  },
  released: {
    en: '{region}: {name} ({address}) was released.',
    zh: '{region}：{name}（{address}）已释放。',
    ja: '{region}：{name}（{address}）は解放されました。',
  },
  not_synced: {
    en: '{region}: {name} was not synchronized: {reason}',
    zh: '{region}：{name} 未同步：{reason}',
    ja: '{region}：{name} は同期されませんでした：{reason}',
  },
  no_address: {
    en: 'it has no address of the chosen kind.',
    zh: '没有所选类型的地址。',
    ja: '選択した種類のアドレスがありません。',
  },
  bad_id: {
    en: 'its ID is missing or not usable.',
    zh: '实例 ID 缺失或不可用。',
    ja: 'ID がないか、使用できません。',
  },
  retried: {
    en: '{region}: {reason} Next attempt in {seconds} {seconds|second|seconds}.',
    zh: '{region}：{reason} {seconds} 秒后重试。',
    ja: '{region}：{reason} {seconds} 秒後に再試行します。',
  },
  region_failed: {
    en: '{region}: stopped. {reason} Nothing of this region is marked as released.',
    zh: '{region}：已停止。{reason} 该地域没有实例被标记为已释放。',
    ja: '{region}：中止しました。{reason} このリージョンのインスタンスは解放済みになりません。',
  },
  nothing_found: {
    en: '{region}: no instances were found where there were {count}. They are marked as released, but their assets are left as they are: check the rights of the account, then delete released assets from the list of instances.',
    zh: '{region}：原有 {count} 个实例，本次未找到任何实例。已标记为已释放，但资产保持不变：请检查账号权限，再从实例列表删除已释放的资产。',
    ja: '{region}：{count} 個あったインスタンスが 1 つも見つかりません。解放済みとしますが、資産はそのままです。アカウントの権限を確認し、インスタンス一覧から解放済みの資産を削除してください。',
  },
  setting_gone: {
    en: 'A strategy names something that no longer exists ({what}); it is left out.',
    zh: '策略引用的对象已不存在（{what}），已忽略。',
    ja: 'ストラテジーが存在しないもの（{what}）を指しているため、無視しました。',
  },
  done: {
    en: 'Done: {added} added, {updated} updated, {unchanged} unchanged, {released} released, {unsynced} not synchronized.',
    zh: '完成：新增 {added}，更新 {updated}，未变更 {unchanged}，已释放 {released}，未同步 {unsynced}。',
    ja: '完了：追加 {added}、更新 {updated}、変更なし {unchanged}、解放 {released}、未同期 {unsynced}。',
  },
  regions_failed: {
    en: '{failed} of {total} {total|region|regions} failed.',
    zh: '{total} 个地域中有 {failed} 个失败。',
    ja: '{total} リージョン中 {failed} リージョンが失敗しました。',
  },
  partly_failed: {
    en: 'Some regions failed, or instances could not be stored. The log has the reasons.',
    zh: '部分地域失败，或有实例未能保存，原因见日志。',
    ja: '一部のリージョンが失敗したか、保存できないインスタンスがあります。理由はログにあります。',
  },
  task_gone: {
    en: 'The task or its account no longer exists.',
    zh: '任务或其账号已不存在。',
    ja: 'タスクまたはそのアカウントは存在しません。',
  },
  not_licensed: {
    en: 'Cloud synchronization needs the extended edition. Import a license.',
    zh: '云同步需要企业版，请导入许可证。',
    ja: 'クラウド同期には拡張エディションが必要です。ライセンスを取り込んでください。',
  },
})
