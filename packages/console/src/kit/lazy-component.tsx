/**
 * A component whose code is loaded on demand and rendered as soon as it arrives. React.lazy renders up to a third of a
 * second later once a fallback was shown.
 */
import { createElement, type FunctionComponent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from './text.ts'
import { toast } from './toast.ts'

type Part<P, Loaded = unknown> = FunctionComponent<P> & {
  /** Starts loading before rendering. */
  bring: () => Promise<Loaded>
  /** Whether it would render at once. */
  isThere: () => boolean
}

type PropsOf<Drawn extends FunctionComponent<never>> = Parameters<Drawn> extends [] ? object : Parameters<Drawn>[0]

/**
 * @param standIn Rendered until the code is loaded.
 * @param missing If loading fails, for example after a new version was installed: either the error is shown and the
 * page stays with all input, or it is thrown where there is no surrounding page. An opened component (with
 * `onClose`) is closed, so that it can be opened again.
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
        // The user may retry when the network is back.
        asked = undefined
        throw reason
      },
    )
    return asked
  }
  function Later(props: Props): ReactNode {
    // The component must not change: another one would be mounted anew.
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
