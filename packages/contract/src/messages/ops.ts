/**
 * Texts of app `ops`.
 */
import { defineMessages } from '../messages.ts'

export const opsMessages = defineMessages({
  job: { en: 'Job', zh: '作业', ja: 'ジョブ' },
  adhoc: { en: 'Command template', zh: '命令模板', ja: 'コマンドテンプレート' },
  playbook: { en: 'Playbook', zh: 'Playbook', ja: 'プレイブック' },
  jobexecution: { en: 'Job execution', zh: '作业执行', ja: 'ジョブ実行' },
  celerytask: { en: 'Background task', zh: '后台任务', ja: 'バックグラウンドタスク' },
  celerytaskexecution: { en: 'Background task execution', zh: '后台任务执行', ja: 'バックグラウンドタスク実行' },
  variable: { en: 'Variable', zh: '变量', ja: '変数' },
  module: { en: 'Module', zh: '模块', ja: 'モジュール' },
  args: { en: 'Command', zh: '命令', ja: 'コマンド' },
  'args.help': {
    en: "The command to run, or the module's arguments.",
    zh: '要执行的命令，或模块的参数。',
    ja: '実行するコマンド、またはモジュールの引数です。',
  },
  chdir: { en: 'Folder', zh: '运行目录', ja: '実行フォルダー' },
  'chdir.help': {
    en: 'Working directory of the command.',
    zh: '命令运行的目录。',
    ja: 'コマンドを実行するフォルダーです。',
  },
  timeout: { en: 'Timeout (seconds)', zh: '超时时间（秒）', ja: 'タイムアウト（秒）' },
  'timeout.help': {
    en: 'Longer runs are terminated; -1 means no limit.',
    zh: '超时后终止执行，-1 表示不限制。',
    ja: '超えると終了します。-1 は無制限です。',
  },
  parameters: { en: 'Parameters', zh: '参数', ja: 'パラメーター' },
  date_published: { en: 'Date published', zh: '发布日期', ja: '発行日時' },
  summary: { en: 'Summary', zh: '汇总', ja: '概要' },
  time_cost: { en: 'Time used', zh: '花费时间', ja: '所要時間' },
  state: { en: 'State', zh: '状态', ja: '状態' },
  path: { en: 'File', zh: '文件', ja: 'ファイル' },
  task_name: { en: 'Task name', zh: '任务名称', ja: 'タスク名' },
  kwargs: { en: 'Named arguments', zh: '命名参数', ja: '名前付き引数' },
  variables: { en: 'Variables', zh: '变量', ja: '変数' },

  output_file: { en: 'Output file', zh: '输出文件', ja: '出力ファイル' },
  playbook_file: { en: 'File of the playbook', zh: 'Playbook 文件', ja: 'プレイブックのファイル' },
  nodes: { en: 'Nodes', zh: '节点', ja: 'ノード' },
  assets: { en: 'Assets', zh: '资产', ja: '資産' },
  instant: { en: 'Quick command', zh: '快捷命令', ja: 'クイックコマンド' },
  runas: { en: 'Run as', zh: '运行用户', ja: '実行ユーザー' },
  'runas.help': {
    en: 'Usernames in order of preference, separated by commas.',
    zh: '按优先顺序填写用户名，以逗号分隔。',
    ja: 'ユーザー名を優先順にカンマ区切りで入力します。',
  },
  runas_policy: { en: 'Run-as policy', zh: '运行用户策略', ja: '実行ユーザーのポリシー' },
  'runas_policy.help': {
    en: 'What happens on assets that have none of these usernames.',
    zh: '资产上没有上述用户名时的处理方式。',
    ja: 'これらのユーザー名がない資産での扱いです。',
  },
  use_parameter_define: { en: 'Ask for parameters', zh: '启用参数', ja: 'パラメーターを尋ねる' },
  parameters_define: { en: 'Parameter definitions', zh: '参数定义', ja: 'パラメーター定義' },
  run_after_save: { en: 'Run after saving', zh: '保存后执行', ja: '保存後に実行' },
  average_time_cost: { en: 'Average time', zh: '平均耗时', ja: '平均所要時間' },
  date_last_run: { en: 'Last run', zh: '上次运行', ja: '最終実行' },
  create_method: { en: 'Created from', zh: '创建方式', ja: '作成方法' },
  vcs_url: { en: 'Repository URL', zh: '仓库地址', ja: 'リポジトリ URL' },
  job_type: { en: 'Type', zh: '类型', ja: '種類' },
  material: { en: 'Command', zh: '执行内容', ja: '実行内容' },
  timedelta: { en: 'Time used (seconds)', zh: '耗时（秒）', ja: '所要時間（秒）' },
  task_id: { en: 'Task ID', zh: '任务 ID', ja: 'タスク ID' },
  is_finished: { en: 'Finished', zh: '是否完成', ja: '完了' },
  is_success: { en: 'Successful', zh: '是否成功', ja: '成功' },
  runs_total: { en: 'Executions', zh: '执行次数', ja: '実行回数' },
  runs_success: { en: 'Successful executions', zh: '成功次数', ja: '成功回数' },
  runs_timed: { en: 'Finished executions', zh: '完成次数', ja: '完了回数' },
  runs_seconds: { en: 'Total time (seconds)', zh: '总耗时（秒）', ja: '合計時間（秒）' },
  type: { en: 'Type', zh: '类型', ja: '種類' },

  // Meanings of variables.
  variable_username: {
    en: 'Username of the user who runs the job',
    zh: '运行作业的用户名',
    ja: 'ジョブを実行するユーザーのユーザー名',
  },
  variable_asset_id: { en: 'ID of the asset', zh: '资产 ID', ja: '資産の ID' },
  variable_asset_type: { en: 'Type of the asset', zh: '资产类型', ja: '資産の種類' },
  variable_asset_category: { en: 'Category of the asset', zh: '资产类别', ja: '資産のカテゴリー' },
  variable_asset_name: { en: 'Name of the asset', zh: '资产名称', ja: '資産の名前' },
  variable_asset_address: { en: 'Address of the asset', zh: '资产地址', ja: '資産のアドレス' },
  variable_asset_port: { en: 'Port of the asset', zh: '资产端口', ja: '資産のポート' },
  variable_job_id: { en: 'ID of the job', zh: '作业 ID', ja: 'ジョブの ID' },
  variable_job_name: { en: 'Name of the job', zh: '作业名称', ja: 'ジョブの名前' },

  // Errors.
  periodictask: { en: 'Periodic task', zh: '周期任务', ja: '定期タスク' },
  task_not_periodic: {
    en: 'This task does not run by schedule. Start it from the page of its object.',
    zh: '该任务不是周期任务，请在对应对象的页面中启动。',
    ja: 'このタスクは定期実行ではありません。対象のページから開始してください。',
  },
  execution_disabled: {
    en: 'Commands on assets are switched off. An administrator can switch them on in the settings of the job center.',
    zh: '命令执行功能已关闭，管理员可在作业中心设置中开启。',
    ja: '資産でのコマンド実行は無効です。管理者がジョブセンターの設定で有効にできます。',
  },
  parameters_wrong: {
    en: 'The parameter definitions are wrong at "{reason}". Define at most 50 parameters as a JSON object; names are letters, digits and underscores, and a select has options.',
    zh: '参数定义在“{reason}”处有误。请使用 JSON 对象，最多定义 50 个参数；名称由字母、数字和下划线组成，下拉参数须提供选项。',
    ja: 'パラメーター定義の「{reason}」が正しくありません。JSON オブジェクトで 50 個まで定義し、名前は英数字と下線、選択式には選択肢を指定してください。',
  },
  parameter_missing: {
    en: 'Enter a value for "{name}".',
    zh: '请填写“{name}”的值。',
    ja: '「{name}」の値を入力してください。',
  },
  parameter_not_offered: {
    en: 'Choose one of the offered values for "{name}".',
    zh: '请为“{name}”选择一个可选值。',
    ja: '「{name}」は選択肢から選んでください。',
  },
  parameter_too_long: {
    en: 'The value of "{name}" is longer than 4096 characters, or contains a null character.',
    zh: '“{name}”的值超过 4096 个字符，或包含空字符。',
    ja: '「{name}」の値が 4096 文字を超えているか、NULL 文字を含んでいます。',
  },
  job_gone: {
    en: 'The job no longer exists, so it cannot be run again.',
    zh: '作业已不存在，无法再次执行。',
    ja: 'ジョブが存在しないため、再実行できません。',
  },
  path_invalid: {
    en: 'This path is not valid: name a file or folder inside of the playbook, without "..", and at most 16 folders deep.',
    zh: '路径无效：请指定 Playbook 内的文件或文件夹，不能包含“..”，最多 16 层。',
    ja: 'パスが正しくありません。プレイブック内のファイルまたはフォルダーを、「..」を使わず 16 階層以内で指定してください。',
  },
  file_exists: {
    en: 'There is already a file or folder of this name.',
    zh: '同名文件或文件夹已存在。',
    ja: '同じ名前のファイルまたはフォルダーが既にあります。',
  },
  file_key_needed: {
    en: 'Name the file in "key".',
    zh: '请通过 key 指定文件。',
    ja: 'key でファイルを指定してください。',
  },
  file_unsupported: {
    en: 'This file is not text and cannot be shown here.',
    zh: '此文件不是文本，无法显示。',
    ja: 'このファイルはテキストではないため、表示できません。',
  },
  entry_kept: {
    en: 'The entry file of a playbook cannot be renamed.',
    zh: 'Playbook 的入口文件不能重命名。',
    ja: 'プレイブックのエントリーファイルは名前を変更できません。',
  },
  entry_not_deleted: {
    en: 'The entry file of a playbook cannot be deleted.',
    zh: 'Playbook 的入口文件不能删除。',
    ja: 'プレイブックのエントリーファイルは削除できません。',
  },
  workspace_full: {
    en: 'A playbook has at most {files} files of {one} MB each, and {total} MB together.',
    zh: 'Playbook 最多 {files} 个文件，每个不超过 {one} MB，总计不超过 {total} MB。',
    ja: 'プレイブックは最大 {files} ファイル、1 ファイル {one} MB、合計 {total} MB までです。',
  },
  archive_needed: {
    en: 'Send a zip archive as a file of a multipart form.',
    zh: '请以 multipart 表单上传 zip 压缩包。',
    ja: 'zip アーカイブをマルチパートフォームのファイルとして送信してください。',
  },
  archive_unreadable: {
    en: 'This archive cannot be read. Send a zip archive without password.',
    zh: '无法读取此压缩包，请上传不带密码的 zip 文件。',
    ja: 'このアーカイブを読み取れません。パスワードのない zip アーカイブを送信してください。',
  },
  archive_link: {
    en: 'The archive contains the link "{path}". Replace links by files.',
    zh: '压缩包包含链接“{path}”，请替换为文件。',
    ja: 'アーカイブにリンク「{path}」が含まれています。ファイルに置き換えてください。',
  },
  no_entry: {
    en: 'There is no entry file: the archive needs main.yml, main.yaml or main at its top.',
    zh: '没有入口文件：压缩包根目录须包含 main.yml、main.yaml 或 main。',
    ja: 'エントリーファイルがありません。アーカイブの最上位に main.yml、main.yaml または main を置いてください。',
  },
  no_ansible: {
    en: 'ansible-playbook is not installed on the server. Install it, for example with: apt install ansible',
    zh: '服务器上未安装 ansible-playbook，请先安装，例如：apt install ansible',
    ja: 'サーバーに ansible-playbook がインストールされていません。例：apt install ansible',
  },
  no_isolation: {
    en: 'Playbooks run only where the server can isolate them: it needs Linux with unshare, setpriv and pivot_root (util-linux), and root or user namespaces.',
    zh: '仅当服务器能够隔离 Playbook 时才可执行：需要 Linux 及 unshare、setpriv、pivot_root（util-linux），并具有 root 权限或用户命名空间。',
    ja: 'プレイブックはサーバーが隔離できる場合にのみ実行されます。Linux と unshare、setpriv、pivot_root（util-linux）、および root 権限またはユーザー名前空間が必要です。',
  },
  playbook_needs_ssh: {
    en: 'Playbooks run over SSH only.',
    zh: 'Playbook 仅通过 SSH 执行。',
    ja: 'プレイブックは SSH でのみ実行されます。',
  },
  playbook_without_switch: {
    en: 'The account is used by switching to it, which playbooks cannot do. Choose another account, and become in the playbook.',
    zh: '该账号需切换后使用，Playbook 不支持。请选择其他账号，并在 Playbook 中使用 become。',
    ja: 'このアカウントは切り替えて使用するため、プレイブックでは使用できません。別のアカウントを選び、プレイブックで become を使用してください。',
  },
  playbook_failed: {
    en: 'The playbook failed on this host. Its output says more.',
    zh: 'Playbook 在该主机上执行失败，详见输出。',
    ja: 'このホストでプレイブックが失敗しました。詳細は出力を確認してください。',
  },
  playbook_has_job: {
    en: 'A job uses this playbook. Delete the job first.',
    zh: '有作业正在使用此 Playbook，请先删除该作业。',
    ja: 'このプレイブックを使うジョブがあります。先にジョブを削除してください。',
  },

  // Why nothing runs on a host, or how it ended there.
  host_asset_disabled: { en: 'The asset is disabled.', zh: '资产已禁用。', ja: '資産は無効です。' },
  host_asset_gone: {
    en: 'The asset no longer exists or is disabled.',
    zh: '资产已不存在或已禁用。',
    ja: '資産が存在しないか、無効です。',
  },
  host_command_filtered: {
    en: 'Command filters apply to you on this asset, and commands in a playbook cannot be filtered. Use a command job.',
    zh: '您在此资产上受命令过滤规则限制，而 Playbook 中的命令无法过滤。请使用命令作业。',
    ja: 'この資産ではコマンドフィルターが適用されますが、プレイブック内のコマンドは検査できません。コマンドジョブを使用してください。',
  },
  host_not_permitted: {
    en: 'You are not permitted to use this asset. Ask for a permission.',
    zh: '您没有此资产的使用授权，请申请授权。',
    ja: 'この資産を使用する権限がありません。権限を申請してください。',
  },
  host_automation_disabled: {
    en: 'Automation is disabled in the platform of the asset.',
    zh: '资产所属平台未启用自动化。',
    ja: '資産のプラットフォームで自動化が無効です。',
  },
  host_no_protocol: {
    en: 'The asset has no protocol on which this module runs.',
    zh: '资产没有可运行此模块的协议。',
    ja: 'このモジュールを実行できるプロトコルが資産にありません。',
  },
  host_no_account: {
    en: 'None of the accounts that you may use here is named in "Run as" or allowed by its policy.',
    zh: '您在此资产上可用的账号均不符合“运行用户”及其策略。',
    ja: 'ここで使用できるアカウントに、「実行ユーザー」とそのポリシーに合うものがありません。',
  },
  host_command_rejected: {
    en: 'A command filter rejects this command here.',
    zh: '命令过滤规则拒绝在此执行该命令。',
    ja: 'コマンドフィルターがここでのこのコマンドを拒否しました。',
  },
  host_review_too_long: {
    en: 'A command filter demands a review, and the command is too long to be reviewed.',
    zh: '命令过滤规则要求审批，但该命令过长，无法审批。',
    ja: 'コマンドフィルターが審査を求めていますが、コマンドが長すぎて審査できません。',
  },
  host_review_hidden: {
    en: 'A command filter demands a review, and reviewers could not see the secret parameters of the command. Enter it without them.',
    zh: '命令过滤规则要求审批，但审批人无法看到命令中的保密参数。请不要在命令中使用保密参数。',
    ja: 'コマンドフィルターが審査を求めていますが、審査者にはコマンド内の秘密のパラメーターが見えません。秘密のパラメーターを使わずに入力してください。',
  },
  host_review_repeated: {
    en: 'A command filter demands a review, which counts for one execution only. Start the job again.',
    zh: '命令过滤规则要求审批，且每次审批仅对一次执行有效。请重新启动作业。',
    ja: 'コマンドフィルターが審査を求めています。審査は 1 回の実行にのみ有効です。ジョブをもう一度開始してください。',
  },
  host_review_refused: {
    en: '{by} refused the command (ticket {serial}).',
    zh: '{by} 拒绝了该命令（工单 {serial}）。',
    ja: '{by} がコマンドを拒否しました（チケット {serial}）。',
  },
  host_review_closed: {
    en: 'The review of the command was closed without a decision (ticket {serial}).',
    zh: '该命令的审批未作决定即已关闭（工单 {serial}）。',
    ja: 'コマンドの審査は決定されないまま終了しました（チケット {serial}）。',
  },
  host_review_changed: {
    en: 'The asset was changed after the command had been reviewed. Start the job again.',
    zh: '资产在命令审批后发生了变化。请重新启动作业。',
    ja: 'コマンドの審査後に資産が変更されました。ジョブをもう一度開始してください。',
  },
  host_no_reviewer: {
    en: 'A command filter demands a review, and none of its reviewers can decide now. Ask an administrator to change the rule.',
    zh: '命令过滤规则要求审批，但目前没有可以处理的审批人。请联系管理员修改规则。',
    ja: 'コマンドフィルターが審査を求めていますが、現在判断できる審査者がいません。管理者にルールの変更を依頼してください。',
  },
  host_reviews_full: {
    en: 'One execution can ask for {count} reviews. Run it on fewer assets, or without variables.',
    zh: '一次执行最多可申请 {count} 次审批。请减少资产，或不使用变量。',
    ja: '1 回の実行で依頼できる審査は {count} 件までです。資産を減らすか、変数を使わずに実行してください。',
  },
  review_awaited: {
    en: 'The command on {count} assets waits for a review: ticket {serial}, asked: {people}',
    zh: '{count} 个资产上的命令等待审批：工单 {serial}，审批人：{people}',
    ja: '{count} 件の資産でのコマンドは審査待ちです。チケット {serial}、審査者: {people}',
  },
  variable_unsafe: {
    en: 'The value of the variable "{name}" has characters that a shell would interpret here. Rename the asset, or do not use the variable.',
    zh: '变量“{name}”的值含有会被 Shell 解释的字符。请修改资产名称，或不使用该变量。',
    ja: '変数「{name}」の値に、シェルが解釈する文字があります。資産の名前を変えるか、この変数を使わないでください。',
  },
  command_failed: {
    en: 'The command ended with status {status}.',
    zh: '命令以状态 {status} 结束。',
    ja: 'コマンドはステータス {status} で終了しました。',
  },
  command_blacklisted: {
    en: 'The command "{word}" is on the blacklist of the settings and is not run by jobs.',
    zh: '命令“{word}”在设置的黑名单中，作业不能执行。',
    ja: 'コマンド「{word}」は設定のブラックリストにあり、ジョブでは実行できません。',
  },
  hosts_forbidden: {
    en: '{count} {count|asset was|assets were} left out: not permitted, or the command was rejected.',
    zh: '{count} 个资产未执行：没有授权，或命令被拒绝。',
    ja: '{count} 件の資産では実行しませんでした。権限がないか、コマンドが拒否されました。',
  },
  run_without_hosts: {
    en: 'The job has no assets: choose some, and run it again.',
    zh: '作业没有资产，请选择资产后重新执行。',
    ja: 'ジョブに資産がありません。選択してから再実行してください。',
  },
  run_without_creator: {
    en: 'The owner of this job is gone, so it does not run any more.',
    zh: '此作业的所有者已不存在，不再执行。',
    ja: 'このジョブの所有者が存在しないため、実行されません。',
  },
  output_in_file: {
    en: '(The output is long: the rest is in a file that can be downloaded.)',
    zh: '（输出较长，其余部分保存在可下载的文件中。）',
    ja: '（出力が長いため、残りはダウンロードできるファイルにあります。）',
  },
  output_cut: {
    en: '(The output is too long: what exceeds 10 MB was not kept.)',
    zh: '（输出过长，超过 10 MB 的部分未保留。）',
    ja: '（出力が長すぎるため、10 MB を超える部分は保存されていません。）',
  },
})
