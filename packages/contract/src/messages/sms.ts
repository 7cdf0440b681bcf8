import { defineMessages } from '../messages.ts'

/** Short messages with codes. */
export const smsMessages = defineMessages({
  not_set: {
    en: 'Text messages are not set up. Ask an administrator, or use another way.',
    zh: '尚未配置短信服务，请联系管理员或使用其他方式。',
    ja: 'SMS が設定されていません。管理者に連絡するか、ほかの方法を使用してください。',
  },
  not_sent: {
    en: 'The code could not be sent. Try again later, or use another way.',
    zh: '验证码发送失败，请稍后重试或使用其他方式。',
    ja: '認証コードを送信できませんでした。しばらくしてからやり直すか、ほかの方法を使用してください。',
  },
  too_often: {
    en: 'A code was sent a moment ago. Wait {seconds} seconds before asking for another one.',
    zh: '验证码刚刚已发送，请 {seconds} 秒后再重新获取。',
    ja: '認証コードは送信済みです。{seconds} 秒後にもう一度お試しください。',
  },
  too_many: {
    en: 'Too many codes were requested. Try again in an hour.',
    zh: '获取验证码过于频繁，请一小时后再试。',
    ja: '認証コードの要求が多すぎます。1 時間後にやり直してください。',
  },
  unknown_provider: {
    en: 'There is no such provider of text messages.',
    zh: '不存在该短信服务商。',
    ja: 'この SMS プロバイダーはありません。',
  },
  no_files: {
    en: 'Programs of other products are not run here. Use the custom provider, which calls your service over HTTP.',
    zh: '此处不运行其他产品的程序文件，请使用“自定义”短信服务，通过 HTTP 调用您的服务。',
    ja: 'ほかの製品のプログラムは実行しません。HTTP でサービスを呼び出す「カスタム」を使用してください。',
  },
  no_phone: {
    en: 'Enter a test phone number.',
    zh: '请输入测试手机号。',
    ja: 'テスト用の電話番号を入力してください。',
  },
  test_failed: {
    en: 'The test message was not accepted: {reason}',
    zh: '测试短信发送失败：{reason}',
    ja: 'テストメッセージは受け付けられませんでした：{reason}',
  },
  test_sent: {
    en: 'The test message was sent.',
    zh: '测试短信已发送。',
    ja: 'テストメッセージを送信しました。',
  },
  too_long: {
    en: 'Signature and template together have at most {max} characters.',
    zh: '签名与模板总长度不能超过 {max} 个字符。',
    ja: '署名とテンプレートは合わせて {max} 文字以内にしてください。',
  },
  without: {
    en: 'It must contain {placeholder}.',
    zh: '必须包含 {placeholder}。',
    ja: '{placeholder} が必要です。',
  },
  placeholder: {
    en: 'Code from the text message',
    zh: '短信验证码',
    ja: 'SMS の認証コード',
  },
})
