import { useEffect, useState } from 'react'
import { listenForAnnouncements } from '../../browser/announce.ts'

/** Milliseconds until an announcement is removed, so that screen readers do not find it later as page content. */
const stays = 3000

export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    listenForAnnouncements((next) => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(''), stays)
      setText(next)
    })
  }, [])
  return (
    <p className="unseen" role="status">
      {text}
    </p>
  )
}
