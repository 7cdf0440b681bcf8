import { defineMessages } from '../messages.ts'

/** Texts about the license. */
export const xpackMessages = defineMessages({
  license_imported: {
    en: 'The license is now in use.',
    zh: '许可证已生效。',
    ja: 'ライセンスを適用しました。',
  },
  license_invalid: {
    en: 'This license does not belong to this installation. Issue one with "npm run license".',
    zh: '这不是本系统的许可证，请使用 “npm run license” 签发。',
    ja: 'この環境のライセンスではありません。「npm run license」で発行してください。',
  },
  license_expired: {
    en: 'This license has expired. Import a valid one.',
    zh: '该许可证已过期，请导入有效的许可证。',
    ja: 'このライセンスは期限切れです。有効なものを取り込んでください。',
  },
})
