import { marked } from 'marked'
import { useMemo } from 'react'
import { safeHtml } from './sanitise.ts'

/** Rendered Markdown without scripts. */
export default function MarkdownText({ text }: { text: string }) {
  const html = useMemo(() => safeHtml(marked.parse(text, { async: false, breaks: true })), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by an allow-list on the line above
  return <div className="html markdown-view" dangerouslySetInnerHTML={html} />
}
