import type { FileEntry, FileSession } from '@castellan/contract/web-terminal'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Ending } from '../screen/EndNotice.tsx'
import type { PaneState } from '../workspace/model.ts'
import { FileWatch } from './FileWatch.ts'
import { type Files, fileErrorCode, fileSession, openFileSession } from './files-api.ts'
import { judgeTransfer } from './jobs.ts'
import { fileErrorText } from './texts.ts'
import { TransferQueue } from './transfers.ts'

export interface Directory {
  path: string
  entries: FileEntry[]
  truncated: boolean
}

/** A file session of a host: opened with a token, kept alive, and closed with the pane. */
export function useFileSession(tokenId: string, onState: (state: PaneState) => void) {
  const [info, setInfo] = useState<FileSession>()
  const [directory, setDirectory] = useState<Directory>()
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState('')
  const [ending, setEnding] = useState<Ending>()
  const [pausedBy, setPausedBy] = useState<string>()
  const files = useRef<Files>(undefined)
  const reading = useRef(new AbortController())
  const [queue] = useState(() => new TransferQueue(judgeTransfer, fileErrorText))
  const latestOnState = useRef(onState)
  latestOnState.current = onState

  const end = useCallback((over: Ending) => {
    // The reason of the end and the end itself arrive through different channels, in either order.
    setEnding((known) => (known && over.reason === 'lost' ? known : over))
    latestOnState.current('ended')
  }, [])

  /** Whether the error means that the session has ended, which is reported once. */
  const isOver = useCallback(
    (cause: unknown) => {
      const code = fileErrorCode(cause)
      if (code !== 'session_ended' && code !== 'unauthenticated') return false
      end({ reason: 'lost', text: fileErrorText(cause), neverStarted: false })
      return true
    },
    [end],
  )

  const go = useCallback(
    async (path: string) => {
      reading.current.abort()
      const abort = new AbortController()
      reading.current = abort
      setLoading(true)
      setError('')
      try {
        const list = await files.current?.list(path, abort.signal)
        if (abort.signal.aborted) return
        if (list) setDirectory(list)
      } catch (cause) {
        if (abort.signal.aborted) return
        if (!isOver(cause)) setError(fileErrorText(cause))
      }
      setLoading(false)
    },
    [isOver],
  )

  useEffect(() => {
    let over = false
    let watch: FileWatch | undefined
    setEnding(undefined)
    setError('')
    setLoading(true)
    const opening = openFileSession(tokenId).then(
      (opened) => {
        const session = fileSession(opened.id)
        if (over) {
          void session.end()
          return undefined
        }
        files.current = session
        setInfo(opened)
        latestOnState.current('open')
        void go(opened.home)
        setPausedBy(opened.is_locked ? '' : undefined)
        watch = new FileWatch(opened.id, {
          paused: setPausedBy,
          ended: (reason, text) => end({ reason, text, neverStarted: false }),
        })
        return session
      },
      (cause: unknown) => {
        if (!over) {
          setLoading(false)
          end({ reason: 'connect_failed', text: fileErrorText(cause), neverStarted: true })
        }
        return undefined
      },
    )
    return () => {
      over = true
      watch?.stop()
      reading.current.abort()
      queue.cancelAll()
      void opening.then((session) => session?.end().catch(() => undefined))
    }
  }, [tokenId, go, end, queue])

  return { info, files, directory, loading, error, ending, pausedBy, go, queue, isOver }
}
