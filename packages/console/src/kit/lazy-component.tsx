/**
 * A part of the page whose code is fetched when it is needed, drawn the moment it is there. React's own lazy parts come up
 * to a third of a second later, once something stood in for one of them.
 */
import { createElement, type FunctionComponent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from './text.ts'
import { toast } from './toast.ts'

type Part<P, Loaded = unknown> = FunctionComponent<P> & {
  /** Begins before it is drawn. */
  bring: () => Promise<Loaded>
  /** It would be drawn at once. */
  isThere: () => boolean
}

type PropsOf<Drawn extends FunctionComponent<never>> = Parameters<Drawn> extends [] ? object : Parameters<Drawn>[0]

/**
 * @param standIn Stands there until it has come.
 * @param missing What happens when it cannot be had, such as after a new version was installed: it is told, and the page
 * around it stays with all that was typed; or it is thrown, where there is nothing around it. What was opened (it has an
 * `onClose`) is closed, and so can be opened again.
 */
export function lazyComponent<
  Drawn extends FunctionComponent<never>,
  Loaded extends { default: Drawn } = { default: Drawn },
>(
  load: () => Promise<Loaded & { default: Drawn }>,
  standIn: ReactNode = null,
  missing: 'told' | 'thrown' = 'told',
): Part<PropsOf<Drawn>, Loaded> {
  type Props = PropsOf<Drawn>
  let there: FunctionComponent<Props> | undefined
  let asked: Promise<Loaded> | undefined
  const bring = () => {
    asked ??= load().then(
      (loaded) => {
        there = loaded.default as unknown as FunctionComponent<Props>
        return loaded
      },
      (reason) => {
        // Somebody may come back when the network is.
        asked = undefined
        throw reason
      },
    )
    return asked
  }
  function Later(props: Props): ReactNode {
    // It stays what it was at first: another component would begin anew.
    const [shown, setShown] = useState(() => {
      if (!there) void bring().catch(() => {})
      return there
    })
    const [failure, setFailure] = useState<{ reason: unknown }>()
    const latest = useRef(props)
    latest.current = props
    useEffect(() => {
      if (!shown)
        bring().then(
          () => setShown(() => there),
          (reason) => {
            if (missing === 'thrown') return setFailure({ reason })
            toast.error(t('partMissing'))
            ;(latest.current as { onClose?: () => void }).onClose?.()
          },
        )
    }, [shown])
    if (failure) throw failure.reason
    return shown ? createElement(shown, props as object & Props) : standIn
  }
  return Object.assign(Later, { bring, isThere: () => there !== undefined })
}
