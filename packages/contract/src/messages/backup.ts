/** Texts of account backups. */
import { defineMessages } from '../messages.ts'

export const backupMessages = defineMessages({
  plan_needs_right: {
    en: 'A backup hands secrets to its recipients. Deciding what it holds and who receives it requires permission to view account secrets.',
    zh: '备份会将密文交给接收者。设置备份内容和接收者需要查看账号密文的权限',
    ja: 'バックアップはシークレットを受信者に渡します。内容と受信者を決めるには、アカウントのシークレットを表示する権限が必要です。',
  },
  both_parts: {
    en: 'Nobody may receive both halves. Choose other recipients for one of them.',
    zh: '同一接收者不能同时接收两部分，请为其中一部分选择其他接收者',
    ja: '同じ受信者に両方の部分を送ることはできません。どちらかに別の受信者を選んでください。',
  },
  storage_not_sftp: {
    en: 'Choose storages of the type SFTP.',
    zh: '请选择 SFTP 类型的存储',
    ja: '種類が SFTP のストレージを選んでください。',
  },
  password_needed: {
    en: 'Files on storages are always encrypted. Set a password for them.',
    zh: '存储上的文件必须加密，请设置密码',
    ja: 'ストレージ上のファイルは必ず暗号化されます。パスワードを設定してください。',
  },
  started: { en: 'Backup plan: {name}', zh: '备份计划：{name}', ja: 'バックアップ計画：{name}' },
  reading: {
    en: '{type}: {count} {count|account|accounts}',
    zh: '{type}：{count} 个账号',
    ja: '{type}：アカウント {count} 件',
  },
  delivered: { en: '{recipient}: OK', zh: '{recipient}：成功', ja: '{recipient}：成功' },
  not_delivered: {
    en: '{recipient}: failed: {reason}',
    zh: '{recipient}：失败：{reason}',
    ja: '{recipient}：失敗：{reason}',
  },
  no_recipients: {
    en: 'Nothing was sent: the plan has no recipients. Choose users or storages.',
    zh: '未发送任何内容：计划没有接收者，请选择用户或存储',
    ja: '何も送信されませんでした。計画に受信者がいません。ユーザーまたはストレージを選んでください。',
  },
  no_types: {
    en: 'Nothing was sent: the plan names no types of assets. Choose the types to back up.',
    zh: '未发送任何内容：计划没有选择资产类型，请选择要备份的类型',
    ja: '何も送信されませんでした。計画に資産の種別が選ばれていません。バックアップする種別を選んでください。',
  },
  no_accounts: {
    en: 'There are no accounts of these types, so nothing was sent.',
    zh: '这些类型没有账号，未发送任何内容',
    ja: 'これらの種別のアカウントはないため、何も送信しませんでした。',
  },
  not_recipient: {
    en: 'was removed from the plan, so nothing was sent',
    zh: '已从计划中移除，未发送',
    ja: '計画から外されたため、送信しませんでした',
  },
  not_member: {
    en: 'is disabled or no longer belongs to the organization, so nothing was sent',
    zh: '已被禁用或不再属于该组织，未发送',
    ja: '無効か、組織に属していないため、送信しませんでした',
  },
  no_address: { en: 'has no email address', zh: '没有邮箱地址', ja: 'メールアドレスがありません' },
  no_mail_server: {
    en: 'no mail server is set up; enter one in the settings',
    zh: '未配置邮件服务器，请在系统设置中配置',
    ja: 'メールサーバーが設定されていません。設定で入力してください',
  },
  mail_failed: {
    en: 'the mail server did not take the mail: {reason}',
    zh: '邮件服务器未能接收邮件：{reason}',
    ja: 'メールサーバーがメールを受け付けませんでした：{reason}',
  },
  no_file_password: {
    en: 'has set no file encryption password, so the mail has no file',
    zh: '未设置文件加密密码，邮件中没有附件',
    ja: 'ファイル暗号化パスワードを設定していないため、メールにファイルを添付しませんでした',
  },
  mail_subject: {
    en: 'Account backup: {plan}',
    zh: '账号备份：{plan}',
    ja: 'アカウントバックアップ：{plan}',
  },
  mail_body: {
    en: 'The backup of the plan {plan} is attached. The archive and the workbook in it open with your file encryption password.',
    zh: '计划“{plan}”的备份见附件。压缩包及其中的表格均使用您的文件加密密码打开。',
    ja: '計画「{plan}」のバックアップを添付します。アーカイブとその中のブックは、ファイル暗号化パスワードで開けます。',
  },
  mail_without_file: {
    en: 'The backup of the plan {plan} could not be attached, because you have not set a file encryption password. Set it in your preferences, and ask for another backup.',
    zh: '由于您尚未设置文件加密密码，计划“{plan}”的备份未能附上。请在个人设置中设置后，重新执行备份。',
    ja: 'ファイル暗号化パスワードが未設定のため、計画「{plan}」のバックアップを添付できませんでした。個人設定で設定してから、もう一度バックアップを依頼してください。',
  },
})
