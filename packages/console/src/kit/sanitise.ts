import DOMPurify from 'dompurify'

/** Removes scripts from the HTML of messages and banners. */
export function safeHtml(html: string): { __html: string } {
  return {
    __html: DOMPurify.sanitize(html, {
      USE_PROFILES: { html: true },
      FORBID_TAGS: ['style', 'form', 'input', 'button'],
      ADD_ATTR: ['target'],
    }),
  }
}
