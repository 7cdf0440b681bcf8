/** Labels of background tasks, by task name. */
import { defineMessages } from '../messages.ts'

export const tasksMessages = defineMessages({
  'assets.tasks.nodes_amount.check_node_assets_amount_task': {
    en: 'Check the number of assets below nodes',
    zh: '检查节点下资产数量',
    ja: 'ノード配下の資産数の確認',
  },
  'assets.tasks.ping_gateway.test_gateways_connectivity_task': {
    en: 'Test the connectivity of gateways',
    zh: '测试网关可连接性',
    ja: 'ゲートウェイの接続性テスト',
  },
  'assets.tasks.gather_facts.gather_assets_facts_task': {
    en: 'Collect facts of assets',
    zh: '收集资产信息',
    ja: '資産情報の収集',
  },
  'assets.tasks.ping.test_assets_connectivity_task': {
    en: 'Test the connectivity of assets',
    zh: '测试资产可连接性',
    ja: '資産の接続性テスト',
  },
  'ops.tasks.run_ops_job_execution': { en: 'Run a job', zh: '执行作业', ja: 'ジョブの実行' },
  'accounts.tasks.gather_accounts.gather_asset_accounts_task': {
    en: 'Collect the accounts of assets',
    zh: '收集资产账号',
    ja: '資産のアカウントの収集',
  },
  'accounts.tasks.change_secret.change_secrets_task': {
    en: 'Change the secrets of accounts',
    zh: '账号改密',
    ja: 'アカウントのシークレットの変更',
  },
  'accounts.tasks.push_account.push_accounts_task': {
    en: 'Push accounts by plan',
    zh: '按任务推送账号',
    ja: '計画によるアカウントのプッシュ',
  },
  'accounts.tasks.push_account.push_accounts_to_assets_task': {
    en: 'Push accounts to assets',
    zh: '推送账号到资产',
    ja: '資産へのアカウントのプッシュ',
  },
  'accounts.tasks.remove_account.remove_accounts_from_assets_task': {
    en: 'Remove accounts from assets',
    zh: '从资产上删除账号',
    ja: '資産からのアカウントの削除',
  },
  'accounts.tasks.automation.execute_automation_record_task': {
    en: 'Retry a password change record',
    zh: '重试改密记录',
    ja: 'パスワード変更記録の再試行',
  },
  'accounts.tasks.backup_account.execute_account_backup_task': {
    en: 'Back up accounts',
    zh: '备份账号',
    ja: 'アカウントのバックアップ',
  },
  'accounts.tasks.verify_account.verify_accounts_connectivity_task': {
    en: 'Verify accounts',
    zh: '验证资产账号可连接性',
    ja: 'アカウントの検証',
  },
  'settings.tasks.vault.sync_vault_data': {
    en: 'Synchronize the vault',
    zh: '同步 Vault 密文',
    ja: 'Vault の同期',
  },
  'xpack.plugins.cloud.tasks.run_sync_instance_task': {
    en: 'Synchronize instances of a cloud account',
    zh: '同步云实例',
    ja: 'クラウドのインスタンスの同期',
  },
  'settings.tasks.ldap.import_ldap_user': {
    en: 'Read the users of the directory',
    zh: '读取 LDAP 用户',
    ja: 'LDAP ユーザーの読み込み',
  },
  'settings.tasks.ldap.import_ldap_user_periodic': {
    en: 'Synchronize users with the directory',
    zh: '同步 LDAP 用户',
    ja: 'LDAP ユーザーの同期',
  },
  'terminal.sweep-sessions': { en: 'Delete old sessions', zh: '清理过期会话', ja: '古いセッションの削除' },
  'terminal.clean-orphan-sessions': {
    en: 'Close sessions of lost components',
    zh: '关闭失联组件的会话',
    ja: '応答のないコンポーネントのセッションの終了',
  },
  'terminal.move-files': {
    en: 'Move files to another storage',
    zh: '迁移文件到其他存储',
    ja: '別のストレージへのファイルの移動',
  },
  'terminal.store-files': {
    en: 'Upload recordings and files to storages',
    zh: '上传录像和文件到存储',
    ja: '録画とファイルのストレージへの保存',
  },
  'terminal.measure-loads': {
    en: 'Record the loads of components',
    zh: '记录组件负载',
    ja: 'コンポーネントの負荷の記録',
  },
  'terminal.move-commands': {
    en: 'Move commands to another storage',
    zh: '迁移命令到其他存储',
    ja: '別のストレージへのコマンドの移動',
  },
  'terminal.store-commands': {
    en: 'Upload commands to storages',
    zh: '上传命令到存储',
    ja: 'コマンドのストレージへの保存',
  },
  'terminal.tasks.applet_host_generate_accounts': {
    en: 'Generate accounts of application hosts',
    zh: '生成应用发布机账号',
    ja: 'アプリケーションホストのアカウントの生成',
  },
  'terminal.tasks.check_command_replay_storage_connectivity': {
    en: 'Test the connections of storages',
    zh: '测试存储的连通性',
    ja: 'ストレージの接続テスト',
  },
  'terminal.tasks.run_applet_host_deployment': {
    en: 'Deploy application hosts',
    zh: '部署应用发布机',
    ja: 'アプリケーションホストのデプロイ',
  },
  'tickets.close-abandoned': {
    en: 'Close abandoned reviews',
    zh: '关闭已放弃的审批工单',
    ja: '放棄された審査チケットのクローズ',
  },
  'users.password_reminders': {
    en: 'Remind users of expiring passwords',
    zh: '提醒用户密码即将过期',
    ja: 'パスワード期限切れの通知',
  },
  'users.account_reminders': {
    en: 'Remind users of expiring accounts',
    zh: '提醒用户账户即将过期',
    ja: 'ユーザー有効期限の通知',
  },
  'users.disable_unused': { en: 'Disable unused users', zh: '禁用长期未登录的用户', ja: '未使用ユーザーの無効化' },
  'perms.expiry_warnings': {
    en: 'Warn of expiring asset permissions',
    zh: '提醒资产授权即将过期',
    ja: '資産権限の期限切れ通知',
  },
  'notifications.send-chat': { en: 'Send a chat message', zh: '发送即时通讯消息', ja: 'チャットメッセージの送信' },
  'notifications.send-mail': { en: 'Send email', zh: '发送邮件', ja: 'メールの送信' },
  'audits.sweep-logs': { en: 'Delete old logs', zh: '清理过期日志', ja: '古いログの削除' },
  'authentication.sweep': { en: 'Delete expired sign-ins', zh: '清理过期登录', ja: '期限切れサインインの削除' },
  'xpack.sweep-sync-executions': {
    en: 'Delete old cloud synchronizations',
    zh: '清理过期的云同步记录',
    ja: '古いクラウド同期記録の削除',
  },
  'accounts.tend-vault': {
    en: 'Move secrets to the vault',
    zh: '迁移密文到 Vault',
    ja: 'シークレットの Vault への移動',
  },
  'accounts.tasks.template.template_sync_related_accounts': {
    en: 'Synchronize accounts with their template',
    zh: '同步模板到关联账号',
    ja: 'テンプレートとアカウントの同期',
  },
  'kernel.sweep': {
    en: 'Delete old task logs and temporary data',
    zh: '清理过期的任务日志和临时数据',
    ja: '古いタスクログと一時データの削除',
  },
  'assets.tasks.ping_gateway.test_domain_gateways_task': {
    en: 'Find the fastest gateway of a domain',
    zh: '测试网域中最快的网关',
    ja: 'ドメインの最速ゲートウェイの検出',
  },
  'ops.refresh-playbook': {
    en: 'Read a playbook from Git',
    zh: '从 Git 读取 Playbook',
    ja: 'Git からプレイブックを読み込み',
  },
  'ops.sweep-executions': { en: 'Delete old job executions', zh: '清理过期的作业执行记录', ja: '古いジョブ実行の削除' },
})
