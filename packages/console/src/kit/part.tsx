/**
 * A part of the page whose code is fetched when it is needed, drawn the moment it is there. React's own lazy parts come up
 * to a third of a second later, once something stood in for one of them.
 */
import { createElement, type FunctionComponent, type ReactNode, useEffect, useState } from 'react'

type Part<P, Loaded = unknown> = FunctionComponent<P> & {
  /** Begins before it is drawn. */
  bring: () => Promise<Loaded>
}

type PropsOf<Drawn extends FunctionComponent<never>> = Parameters<Drawn> extends [] ? object : Parameters<Drawn>[0]

export function part<Drawn extends FunctionComponent<never>, Loaded extends { default: Drawn } = { default: Drawn }>(
  load: () => Promise<Loaded & { default: Drawn }>,
  standIn: ReactNode = null,
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
    useEffect(() => {
      if (!shown)
        bring().then(
          () => setShown(() => there),
          (reason) => setFailure({ reason }),
        )
    }, [shown])
    if (failure) throw failure.reason
    return shown ? createElement(shown, props as object & Props) : standIn
  }
  return Object.assign(Later, { bring })
}
