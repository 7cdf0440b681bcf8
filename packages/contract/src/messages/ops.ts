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

  // Errors.
})
