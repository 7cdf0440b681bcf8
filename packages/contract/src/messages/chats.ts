import { defineMessages } from '../messages.ts'

/** Sign-in with chat services, and messages through them. */
export const chatMessages = defineMessages({
  service: { en: 'Chat service', zh: '即时通讯服务', ja: 'チャットサービス' },
  test_subject: { en: 'Test message', zh: '测试消息', ja: 'テストメッセージ' },
  test_passed: {
    en: 'The service accepted the application.',
    zh: '测试成功，应用配置有效。',
    ja: 'テストに成功しました。アプリケーションの設定は有効です。',
  },
  test_failed: {
    en: 'The service did not accept the application: {reason}',
    zh: '测试失败：{reason}',
    ja: 'テストに失敗しました：{reason}',
  },
  bind_title: { en: 'Bind an account', zh: '绑定账号', ja: 'アカウントの連携' },
  bound: {
    en: '{service} is bound to your user. Sign in again.',
    zh: '{service} 绑定成功，请重新登录。',
    ja: '{service} を連携しました。もう一度サインインしてください。',
  },
  already_bound: {
    en: 'Your user is bound to an account of {service} already. Unbind it first.',
    zh: '您已绑定 {service} 账号，请先解除绑定。',
    ja: 'すでに {service} のアカウントと連携しています。先に解除してください。',
  },
  taken: {
    en: 'This account of {service} is bound to another user.',
    zh: '该 {service} 账号已绑定其他用户。',
    ja: 'この {service} アカウントは別のユーザーと連携されています。',
  },
  not_identified: {
    en: '{service} did not confirm who you are, or you are not a member of the company there.',
    zh: '{service} 未能确认您的身份，或您不是企业成员。',
    ja: '{service} で本人確認ができないか、企業のメンバーではありません。',
  },
  not_bound: {
    en: 'No account of {service} is bound.',
    zh: '未绑定 {service} 账号。',
    ja: '{service} アカウントは連携されていません。',
  },
  bound_subject: { en: '{service} bound', zh: '已绑定 {service}', ja: '{service} を連携しました' },
  bound_body: {
    en: 'The {service} account {id} was bound to your user from {ip}. If that was not you, tell an administrator.',
    zh: '{service} 账号 {id} 已绑定到您的用户，来源 IP：{ip}。如非本人操作，请联系管理员。',
    ja: '{ip} から {service} アカウント {id} が連携されました。心当たりがない場合は管理者に連絡してください。',
  },
})
