import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'

/** Draws a line with the time since now, each second, over itself. Returns a function that removes it. */
export function showElapsed(language: Language, show: (text: string) => void): () => void {
  const begun = performance.now()
  const draw = () => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    show(`\r\u001b[K${say(gatewayMessages.reviewElapsed, language, { time })}`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  return () => {
    clearInterval(timer)
    show('\r\u001b[K')
  }
}
