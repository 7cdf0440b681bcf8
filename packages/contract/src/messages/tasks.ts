/** What the background tasks are called, by task name (v3 contract, ops.md §9; where it leaves out the file's part of a name, the part is ours). */
import { defineMessages } from '../messages.ts'

export const tasksMessages = defineMessages({
  'ops.tasks.run_ops_job': { en: 'Run job', zh: '运行作业', ja: 'ジョブの実行' },
  'ops.tasks.run_ops_job_execution': { en: 'Run job execution', zh: '运行作业执行', ja: 'ジョブ実行の開始' },
  'ops.tasks.clean_celery_periodic_tasks': {
    en: 'Clean up periodic tasks',
    zh: '清理周期任务',
    ja: '定期タスクの整理',
  },
  'ops.tasks.create_or_update_registered_periodic_tasks': {
    en: 'Register periodic tasks',
    zh: '创建或更新周期任务',
    ja: '定期タスクの登録',
  },
  'ops.tasks.check_server_performance_period': {
    en: 'Check the performance of components',
    zh: '检测组件性能',
    ja: 'コンポーネントの性能確認',
  },
  'ops.tasks.clean_up_unexpected_jobs': {
    en: 'Clean up interrupted jobs',
    zh: '清理异常作业',
    ja: '中断されたジョブの整理',
  },
  'ops.tasks.clean_job_execution_period': {
    en: 'Delete old job executions',
    zh: '定期清理作业执行历史',
    ja: '古いジョブ実行履歴の削除',
  },
  'terminal.tasks.delete_terminal_status_period': {
    en: 'Delete old component states',
    zh: '清除组件历史状态',
    ja: '古いコンポーネント状態の削除',
  },
  'terminal.tasks.clean_orphan_session': {
    en: 'End sessions whose component is gone',
    zh: '清除离线会话',
    ja: '切れたセッションの整理',
  },
  'terminal.tasks.upload_session_replay_to_external_storage': {
    en: 'Upload recordings to external storage',
    zh: '上传会话录像到外部存储',
    ja: '録画を外部ストレージへアップロード',
  },
  'terminal.tasks.run_applet_host_deployment': {
    en: 'Deploy application host',
    zh: '部署应用发布机',
    ja: 'アプリ公開ホストの展開',
  },
  'terminal.tasks.run_applet_host_deployment_install_applet': {
    en: 'Install application on the host',
    zh: '在发布机上安装应用',
    ja: '公開ホストへのアプリのインストール',
  },
  'terminal.tasks.applet_host_generate_accounts': {
    en: 'Create accounts of the application host',
    zh: '创建发布机账号',
    ja: '公開ホストのアカウント作成',
  },
  'terminal.tasks.check_command_replay_storage_connectivity': {
    en: 'Check the connectivity of storages',
    zh: '检测存储可连接性',
    ja: 'ストレージの接続確認',
  },
  'users.tasks.check_password_expired': {
    en: 'Check for expired passwords',
    zh: '校验密码已过期',
    ja: 'パスワード期限の確認',
  },
  'users.tasks.check_password_expired_periodic': {
    en: 'Check for expired passwords (daily)',
    zh: '周期校验密码过期',
    ja: 'パスワード期限の定期確認',
  },
  'users.tasks.check_user_expired': { en: 'Check for expired users', zh: '校验用户已过期', ja: 'ユーザー期限の確認' },
  'users.tasks.check_user_expired_periodic': {
    en: 'Check for expired users (daily)',
    zh: '周期校验用户过期',
    ja: 'ユーザー期限の定期確認',
  },
  'users.tasks.check_unused_users': {
    en: 'Disable unused users',
    zh: '禁用不活跃用户',
    ja: '未使用ユーザーの無効化',
  },
  'users.signal_handlers.clean_audits_log_period': {
    en: 'Delete expired online users',
    zh: '清理过期的在线用户会话',
    ja: '期限切れのオンラインユーザーの削除',
  },
  'assets.tasks.automation.execute_asset_automation_task': {
    en: 'Run asset automation',
    zh: '执行资产自动化任务',
    ja: '資産の自動化の実行',
  },
  'assets.tasks.nodes_amount.check_node_assets_amount_task': {
    en: 'Check the number of assets below nodes',
    zh: '检查节点下资产数量',
    ja: 'ノード配下の資産数の確認',
  },
  'assets.tasks.nodes_amount.check_node_assets_amount_period_task': {
    en: 'Check the number of assets below nodes (daily)',
    zh: '定期检查节点下资产数量',
    ja: 'ノード配下の資産数の定期確認',
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
  'accounts.tasks.automation.execute_account_automation_task': {
    en: 'Run account automation',
    zh: '执行账号自动化任务',
    ja: 'アカウントの自動化の実行',
  },
  'accounts.tasks.automation.execute_automation_record_task': {
    en: 'Repeat a password change',
    zh: '重新执行改密记录',
    ja: 'パスワード変更の再実行',
  },
  'accounts.tasks.push_account.push_accounts_to_assets_task': {
    en: 'Push accounts to assets',
    zh: '推送账号到资产',
    ja: 'アカウントを資産へプッシュ',
  },
  'accounts.tasks.gather_accounts.gather_asset_accounts_task': {
    en: 'Collect accounts of assets',
    zh: '收集资产上的账号',
    ja: '資産のアカウント収集',
  },
  'accounts.tasks.backup_account.execute_account_backup_task': {
    en: 'Run account backup',
    zh: '执行账号备份计划',
    ja: 'アカウントバックアップの実行',
  },
  'accounts.tasks.verify_account.verify_accounts_connectivity_task': {
    en: 'Verify accounts',
    zh: '验证资产账号可连接性',
    ja: 'アカウントの検証',
  },
  'accounts.tasks.template.template_sync_related_accounts': {
    en: 'Pass a template on to its accounts',
    zh: '同步模板信息到关联账号',
    ja: 'テンプレートを関連アカウントへ反映',
  },
  'accounts.tasks.vault.sync_secret_to_vault': {
    en: 'Copy secrets to the vault',
    zh: '同步密文到 Vault',
    ja: 'シークレットを Vault へ同期',
  },
  'orgs.tasks.refresh_org_cache_task': {
    en: 'Refresh organization statistics',
    zh: '刷新组织缓存',
    ja: '組織統計の更新',
  },
  'perms.tasks.check_asset_permission_expired': {
    en: 'Check for expired asset permissions',
    zh: '校验资产授权规则已过期',
    ja: '資産権限の期限の確認',
  },
  'perms.tasks.check_asset_permission_will_expired': {
    en: 'Tell about asset permissions that expire soon',
    zh: '发送资产权限过期通知',
    ja: '期限が近い資産権限の通知',
  },
  'audits.tasks.clean_audits_log_period': { en: 'Delete old logs', zh: '清理审计日志', ja: '古いログの削除' },
  'audits.tasks.upload_ftp_file_to_external_storage': {
    en: 'Upload transferred files to external storage',
    zh: '上传传输文件到外部存储',
    ja: '転送ファイルを外部ストレージへアップロード',
  },
  'settings.tasks.ldap.import_ldap_user': {
    en: 'Import users from LDAP',
    zh: '导入 LDAP 用户',
    ja: 'LDAP ユーザーの取り込み',
  },
  'settings.tasks.ldap.import_ldap_user_periodic': {
    en: 'Import users from LDAP (periodic)',
    zh: '定期导入 LDAP 用户',
    ja: 'LDAP ユーザーの定期取り込み',
  },
  'authentication.tasks.clean_django_sessions': {
    en: 'Delete expired browser sessions',
    zh: '清理过期的浏览器会话',
    ja: '期限切れブラウザーセッションの削除',
  },
  'common.tasks.send_mail_async': { en: 'Send mail', zh: '发送邮件', ja: 'メールの送信' },
  'common.tasks.send_mail_attachment_async': {
    en: 'Send mail with attachment',
    zh: '发送带附件的邮件',
    ja: '添付ファイル付きメールの送信',
  },
  'common.tasks.upload_backup_to_obj_storage': {
    en: 'Upload backup to storage',
    zh: '上传备份到存储',
    ja: 'バックアップをストレージへアップロード',
  },
  'common.sdk.sms.send_async': { en: 'Send SMS', zh: '发送短信', ja: 'SMS の送信' },
  'notifications.notifications.publish_task': { en: 'Deliver messages', zh: '发送消息通知', ja: '通知の配信' },
})
