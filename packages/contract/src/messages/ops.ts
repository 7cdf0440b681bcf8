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
    zh: '要执行的命令，或模块的参数',
    ja: '実行するコマンド、またはモジュールの引数です。',
  },
  chdir: { en: 'Folder', zh: '运行目录', ja: '実行フォルダー' },
  'chdir.help': { en: 'Where the command runs.', zh: '命令运行的目录', ja: 'コマンドを実行するフォルダーです。' },
  timeout: { en: 'Timeout (seconds)', zh: '超时时间（秒）', ja: 'タイムアウト（秒）' },
  'timeout.help': {
    en: 'Longer runs are ended; -1 means no limit.',
    zh: '超时后终止执行，-1 表示不限制',
    ja: '超えると終了します。-1 は無制限です。',
  },
  runas: { en: 'Run as', zh: '运行用户', ja: '実行ユーザー' },
  'runas.help': {
    en: 'Account on the assets that runs it.',
    zh: '在资产上执行任务的账号',
    ja: '資産上で実行するアカウントです。',
  },
  runas_policy: { en: 'Account policy', zh: '账号策略', ja: 'アカウントポリシー' },
  'runas_policy.help': {
    en: 'What to do where that account does not exist: a privileged one only, a privileged one first, or skip the asset.',
    zh: '资产上没有该账号时：仅特权账号、特权账号优先，或跳过该资产',
    ja: 'アカウントがない資産での動作：特権のみ、特権を優先、またはスキップ。',
  },
  parameters: { en: 'Parameters', zh: '参数', ja: 'パラメーター' },
  parameters_define: { en: 'Parameter definition', zh: '参数定义', ja: 'パラメーター定義' },
  use_parameter_define: { en: 'Use parameters', zh: '使用参数定义', ja: 'パラメーターを使用' },
  instant: { en: 'Run at once', zh: '即时任务', ja: '即時実行' },
  run_after_save: { en: 'Run after saving', zh: '保存后执行', ja: '保存後に実行' },
  crontab: { en: 'Crontab', zh: 'Crontab 表达式', ja: 'Crontab 式' },
  average_time_cost: { en: 'Average time', zh: '平均耗时', ja: '平均時間' },
  date_last_run: { en: 'Last run', zh: '最后执行', ja: '最終実行' },
  date_last_publish: { en: 'Last run', zh: '最后执行', ja: '最終実行' },
  date_published: { en: 'Date published', zh: '发布日期', ja: '発行日時' },
  last_run_at: { en: 'Last run', zh: '最后执行', ja: '最終実行' },
  total_run_count: { en: 'Runs', zh: '执行次数', ja: '実行回数' },
  job_type: { en: 'Job type', zh: '作业类型', ja: 'ジョブの種類' },
  material: { en: 'Content', zh: '内容', ja: '内容' },
  summary: { en: 'Summary', zh: '汇总', ja: '概要' },
  time_cost: { en: 'Time used', zh: '花费时间', ja: '所要時間' },
  state: { en: 'State', zh: '状态', ja: '状態' },
  create_method: { en: 'Created by', zh: '创建方式', ja: '作成方法' },
  vcs_url: { en: 'Repository URL', zh: '版本库地址', ja: 'リポジトリ URL' },
  path: { en: 'File', zh: '文件', ja: 'ファイル' },
  task_name: { en: 'Task name', zh: '任务名称', ja: 'タスク名' },
  kwargs: { en: 'Named arguments', zh: '命名参数', ja: '名前付き引数' },
  variables: { en: 'Variables', zh: '变量', ja: '変数' },

  // Refusals.
  commands_forbidden: {
    en: 'The command contains “{command}”, which is forbidden here.',
    zh: '命令中包含被禁止的“{command}”',
    ja: '禁止されているコマンド「{command}」が含まれています。',
  },
  execution_disabled: {
    en: 'Running commands is switched off. An administrator can allow it in the settings.',
    zh: '批量命令已关闭，管理员可在系统设置中开启',
    ja: 'コマンド実行は無効です。管理者がシステム設定で許可できます。',
  },
  playbook_file_invalid: {
    en: 'Upload a ZIP file with main.yml at its top.',
    zh: '请上传根目录包含 main.yml 的 ZIP 文件',
    ja: '最上位に main.yml を含む ZIP をアップロードしてください。',
  },
  playbook_dangerous: {
    en: 'The playbook contains “{keyword}”, which is not allowed.',
    zh: 'Playbook 中包含不允许的“{keyword}”',
    ja: 'プレイブックに許可されていない「{keyword}」が含まれています。',
  },
  playbook_path_invalid: {
    en: 'That file name cannot be used.',
    zh: '文件名不合法',
    ja: 'このファイル名は使用できません。',
  },
  job_not_own: {
    en: 'Only the person who made the job may run or change it.',
    zh: '仅作业的创建者可以执行或修改',
    ja: 'ジョブを作成した人のみ実行・変更できます。',
  },
  task_running: { en: 'The task is running already.', zh: '任务正在执行中', ja: 'タスクは実行中です。' },
})
