import { useEffect, useRef } from 'react'
import { session } from '../kit/session.ts'

const cell = 300

/**
 * The user's name over all target content, if enabled in the settings. It is restored when removed from the page or
 * changed.
 */
export function Watermark({ lines }: { lines: string[] }) {
  const place = useRef<HTMLDivElement>(null)
  const on = session().settings.SECURITY_WATERMARK_ENABLED === true
  const text = lines.filter(Boolean).join('\n')

  useEffect(() => {
    const element = place.current
    if (!on || !element) return
    const image = draw(text.split('\n'))
    const mark = () => {
      watcher.disconnect()
      const layer = document.createElement('div')
      layer.style.cssText = `position:absolute;inset:0;background:url(${image})`
      element.replaceChildren(layer)
      element.removeAttribute('style')
      element.className = 'watermark'
      watcher.observe(element, { childList: true, attributes: true, subtree: true })
    }
    const watcher = new MutationObserver(mark)
    mark()
    return () => watcher.disconnect()
  }, [on, text])

  return on ? <div ref={place} className="watermark" aria-hidden="true" /> : null
}

function draw(lines: string[]): string {
  const canvas = document.createElement('canvas')
  canvas.width = cell
  canvas.height = cell
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.translate(cell / 2, cell / 2)
  context.rotate(-Math.PI / 4)
  context.font = '16px sans-serif'
  context.textAlign = 'center'
  context.fillStyle = 'rgba(128, 128, 128, 0.28)'
  lines.forEach((line, i) => {
    context.fillText(line, 0, (i - (lines.length - 1) / 2) * 22)
  })
  return canvas.toDataURL()
}
