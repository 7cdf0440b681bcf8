import type { Language } from '@castellan/contract/messages'

const tags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN', ja: 'ja' }

export interface BarePage {
  /** Static text; these values are not escaped. */
  text: string
  title?: string
  /** Link to another page. */
  link?: { to: string; label: string }
  /** Seconds after which the page reloads. */
  again?: number
}

/**
 * A message on a page without external files, for situations in which they may be unavailable: in the browser's own
 * font and colors, light or dark.
 */
export function barePage(language: Language, { text, title, link, again }: BarePage): string {
  const refresh = again === undefined ? '' : `<meta http-equiv="refresh" content="${again}">`
  const head = title ? `<h1 style="margin:0 0 8px;font-size:20px">${title}</h1>` : ''
  const way = link ? `<p><a href="${link.to}">${link.label}</a></p>` : ''
  return (
    `<!doctype html><html lang="${tags[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark">${refresh}<title>Castellan</title></head>` +
    `<body style="display:grid;place-content:center;min-height:90vh;margin:16px;text-align:center;font:16px/1.6 system-ui;word-break:${language === 'ja' ? 'auto-phrase' : 'normal'}">` +
    `<main style="max-width:36em">${head}<p role="status" style="margin:0;text-wrap:pretty">${text}</p>${way}</main></body></html>`
  )
}
