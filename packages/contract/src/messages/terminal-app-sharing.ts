/** Texts of the terminal application: sharing a session. */
import { defineMessages } from '../messages.ts'

export const terminalSharingMessages = defineMessages({
  shareSession: { en: 'Share session', zh: '分享会话', ja: 'セッションを共有' },
  shareWith: { en: 'Users in this session: {n}', zh: '会话中的用户：{n}', ja: 'セッションの参加者：{n}' },
  participants: { en: 'Participants', zh: '参与者', ja: '参加者' },
  shareOwner: { en: 'Owner', zh: '所有者', ja: '所有者' },
  shareReadonly: { en: 'Read only', zh: '只读', ja: '閲覧のみ' },
  shareWritable: { en: 'Can type', zh: '可输入', ja: '入力可' },
  shareWritableHelp: {
    en: 'Participants type with your account on the asset. Their commands are logged under their own names.',
    zh: '参与者将使用您的账号在资产上输入，其命令以各自的名字记录。',
    ja: '参加者はアセット上であなたのアカウントを使って入力します。コマンドは各自の名前で記録されます。',
  },
  shareDuration: { en: 'The link can be used for', zh: '链接有效期', ja: 'リンクの有効期間' },
  shareMinutes: { en: '{n} {n|minute|minutes}', zh: '{n} 分钟', ja: '{n} 分' },
  shareAccess: { en: 'Access', zh: '权限', ja: '権限' },
  shareUsers: { en: 'Users', zh: '用户', ja: 'ユーザー' },
  shareEverybody: { en: 'Everybody with the code', zh: '任何持有验证码的用户', ja: 'コードを知っている全員' },
  shareCreate: { en: 'Create link', zh: '创建链接', ja: 'リンクを作成' },
  shareLink: { en: 'Link', zh: '链接', ja: 'リンク' },
  shareCode: { en: 'Code', zh: '验证码', ja: '確認コード' },
  shareCopy: { en: 'Copy link and code', zh: '复制链接和验证码', ja: 'リンクとコードをコピー' },
  shareAnother: { en: 'Create another link', zh: '再创建一个链接', ja: '別のリンクを作成' },
  shareRemoveNow: { en: 'Remove', zh: '移除', ja: '退出させる' },
  shareRemove: {
    en: 'Remove {user} from the session',
    zh: '将 {user} 移出会话',
    ja: '{user} をセッションから退出させる',
  },
  shareJoin: { en: 'Join a shared session', zh: '加入分享的会话', ja: '共有セッションに参加' },
  shareJoinHelp: {
    en: 'Enter the code that you received with the link.',
    zh: '请输入随链接一起收到的验证码。',
    ja: 'リンクと一緒に受け取った確認コードを入力してください。',
  },
  shareJoinNow: { en: 'Join', zh: '加入', ja: '参加' },
})
