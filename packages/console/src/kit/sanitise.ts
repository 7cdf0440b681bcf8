import DOMPurify from 'dompurify'

/** HTML of messages and banners without anything that runs. */
export function safeHtml(html: string): { __html: string } {
  return {
    __html: DOMPurify.sanitize(html, {
      USE_PROFILES: { html: true },
      FORBID_TAGS: ['style', 'form', 'input', 'button'],
      ADD_ATTR: ['target'],
    }),
  }
}
