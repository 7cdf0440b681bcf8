import { safeHtml } from '../../kit/sanitise.ts'

/** HTML from the server without scripts. */
export default function SafeHtml({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by an allow-list on the line itself
  return <div className="html" dangerouslySetInnerHTML={safeHtml(html)} />
}
