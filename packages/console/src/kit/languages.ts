/** Names under which the language is remembered (spec 1 §3): code in local storage, cookie for the server. */
export const languageChoices = [
  { language: 'zh', code: 'cn', cookie: 'zh-hans', label: '中文' },
  { language: 'en', code: 'en', cookie: 'en', label: 'English' },
  { language: 'ja', code: 'ja', cookie: 'ja', label: '日本語' },
] as const
