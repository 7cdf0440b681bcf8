import { type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../kit/api/errors.ts'
import { fetchStream } from '../bytes.ts'
import { hiddenTerminal, Screen } from '../screen/screen.ts'
import { defaultTheme, themeOf } from '../screen/themes.ts'
import { fetchReplay } from '../session-facts.ts'
import { t } from '../text.ts'
import type { ReplayInfo } from '../wire.ts'
import { Keyframes } from './keyframes.ts'
import { Player } from './player.ts'
import { Recording } from './recording.ts'

export type RecordingState =
  | { at: 'loading' }
  | { at: 'missing' }
  | { at: 'failed'; detail: string }
  /** A recording format this player does not support: it can be downloaded; videos are played by the browser. */
  | { at: 'other'; info: ReplayInfo }
  | { at: 'ready'; info: ReplayInfo; recording: Recording; player: Player }

/** Updates of the controls per second; the terminal itself is updated on every frame. */
const controlsEvery = 1000 / 15

/** Loads the recording of a session, creates a player in `place` and drives it. */
export function useRecording(
  session: string,
  place: RefObject<HTMLDivElement | null>,
  startAt: (recording: Recording, info: ReplayInfo) => number,
) {
  const [state, setState] = useState<RecordingState>({ at: 'loading' })
  const [, draw] = useState(0)
  const start = useRef(startAt)
  start.current = startAt

  useEffect(() => {
    const abort = new AbortController()
    const keyframes = new Keyframes()
    const ends: (() => void)[] = [() => abort.abort(), () => keyframes.stop()]
    const open = async () => {
      const info = await fetchReplay(session, abort.signal)
      if (info.type !== 'asciicast') {
        setState({ at: 'other', info })
        return
      }
      const stream = await fetchStream(info.src, abort.signal)
      let grown: (recording: Recording) => void = () => undefined
      const recording = await Recording.open(stream, (one) => grown(one))
      const element = place.current
      if (abort.signal.aborted || !element) return
      const { width, height } = recording.header
      const screen = new Screen(element, { fontSize: 14, theme: themeOf(defaultTheme), readOnly: true })
      screen.setVisible(true)
      const scale = () => screen.scaleInto(element)
      // A recording that makes the terminal throw ends with an error message instead of a broken page.
      const guarded =
        <A extends unknown[]>(work: (...words: A) => unknown) =>
        (...words: A) => {
          try {
            const done = work(...words)
            if (done instanceof Promise) done.catch(fail)
          } catch (error) {
            fail(error)
          }
        }
      const player = new Player(
        recording,
        {
          write: (text, done) => screen.term.write(text, done),
          reset: () => screen.term.reset(),
          resize: (columns, rows) => {
            screen.term.resize(columns, rows)
            requestAnimationFrame(scale)
          },
        },
        keyframes,
        () => undefined,
      )
      const watcher = new ResizeObserver(scale)
      watcher.observe(element)
      const tick = guarded((now: number) => player.tick(now))
      let frame = requestAnimationFrame(function next(now) {
        frame = requestAnimationFrame(next)
        tick(now)
      })
      const timer = setInterval(() => draw((n) => n + 1), controlsEvery)
      ends.push(() => {
        cancelAnimationFrame(frame)
        clearInterval(timer)
        watcher.disconnect()
        player.dispose()
        screen.dispose()
      })
      setState({ at: 'ready', info, recording, player })

      const hidden = hiddenTerminal(width, height)
      ends.push(() => hidden.dispose())
      let taken = 0
      let taking = false
      const take = async () => {
        if (taking) return
        taking = true
        while (taken < recording.blocks && !abort.signal.aborted) taken = await keyframes.take(recording, hidden, taken)
        taking = false
      }
      const takePictures = guarded(take)
      const begin = guarded((from: number) => player.seek(from).then(() => player.play()))
      let begun = false
      grown = () => {
        takePictures()
        // A start in the middle waits until that time is loaded.
        const from = start.current(recording, info)
        if (begun || (from > recording.duration && !recording.complete)) return
        begun = true
        begin(from)
      }
      grown(recording)
    }
    const end = () => {
      for (const one of ends.splice(0).reverse()) one()
    }
    const fail = (error: unknown) => {
      if (abort.signal.aborted) return
      end()
      if (error instanceof ApiError && error.status === 404) setState({ at: 'missing' })
      else if (error instanceof ApiError) setState({ at: 'failed', detail: error.message })
      else setState({ at: 'failed', detail: t('recordingUnreadable') })
    }
    open().catch(fail)
    return end
  }, [session, place])

  return state
}
