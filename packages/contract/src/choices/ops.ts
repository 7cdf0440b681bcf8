/** Choices of jobs, commands and playbooks. */
import { defineMessages } from '../messages.ts'

export const jobTypes = defineMessages({
  adhoc: { en: 'Command', zh: '命令', ja: 'コマンド' },
  playbook: { en: 'Playbook', zh: 'Playbook', ja: 'プレイブック' },
})

/** Modules of a command template. */
export const adhocModules = defineMessages({
  shell: { en: 'Shell', zh: 'Shell', ja: 'Shell' },
  win_shell: { en: 'PowerShell', zh: 'PowerShell', ja: 'PowerShell' },
  python: { en: 'Python', zh: 'Python', ja: 'Python' },
  mysql: { en: 'MySQL', zh: 'MySQL', ja: 'MySQL' },
  mariadb: { en: 'MariaDB', zh: 'MariaDB', ja: 'MariaDB' },
  postgresql: { en: 'PostgreSQL', zh: 'PostgreSQL', ja: 'PostgreSQL' },
  sqlserver: { en: 'SQLServer', zh: 'SQLServer', ja: 'SQLServer' },
  oracle: { en: 'Oracle', zh: 'Oracle', ja: 'Oracle' },
  raw: { en: 'Raw', zh: 'Raw', ja: 'Raw' },
})

/** Modules of a job. `mysql` serves MariaDB too. */
export const jobModules = defineMessages({
  shell: adhocModules.shell,
  win_shell: adhocModules.win_shell,
  python: adhocModules.python,
  mysql: adhocModules.mysql,
  postgresql: adhocModules.postgresql,
  sqlserver: adhocModules.sqlserver,
  raw: adhocModules.raw,
})

export const runasPolicies = defineMessages({
  privileged_only: { en: 'Privileged accounts only', zh: '仅特权账号', ja: '特権アカウントのみ' },
  privileged_first: { en: 'Privileged accounts first', zh: '特权账号优先', ja: '特権アカウントを優先' },
  skip: { en: 'Skip', zh: '跳过', ja: 'スキップ' },
})

export const playbookCreateMethods = defineMessages({
  blank: { en: 'Blank', zh: '空白', ja: '空白' },
  vcs: { en: 'Version control', zh: '版本控制', ja: 'バージョン管理' },
})

/** How the Git repository of a playbook is signed in to. */
export const vcsAccessMethods = defineMessages({
  none: { en: 'None (public)', zh: '无（公开仓库）', ja: 'なし（公開）' },
  password: { en: 'Username and token', zh: '用户名和令牌', ja: 'ユーザー名とトークン' },
  ssh_key: { en: 'SSH private key', zh: 'SSH 私钥', ja: 'SSH 秘密鍵' },
})

/** How an execution of a job stands. */
export const jobStatuses = defineMessages({
  running: { en: 'Running', zh: '运行中', ja: '実行中' },
  success: { en: 'Success', zh: '成功', ja: '成功' },
  failed: { en: 'Failed', zh: '失败', ja: '失敗' },
  timeout: { en: 'Timed out', zh: '超时', ja: 'タイムアウト' },
  canceled: { en: 'Stopped', zh: '已停止', ja: '停止' },
})
