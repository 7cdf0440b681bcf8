import { describe, expect, it } from 'vitest'
import { FastestGateway, GatewaysFailed } from './fastest-gateway.ts'

interface Asked {
  id: string
  signal: AbortSignal
  works(): void
  fails(error?: Error): void
}

/** Gateways whose answers the test gives itself, in its own order. */
function gateways(...ids: string[]) {
  const fastest = new FastestGateway()
  const all = ids.map((id) => ({ id }))
  const asked: Asked[] = []
  const discarded: string[] = []
  const open = (signal?: AbortSignal, some = all) => {
    asked.length = 0
    return fastest.open(
      'domain',
      some,
      ({ id }, ended) =>
        new Promise<string>((resolve, reject) =>
          asked.push({
            id,
            signal: ended,
            works: () => resolve(`through ${id}`),
            fails: (error = new Error(id)) => reject(error),
          }),
        ),
      (opened) => discarded.push(opened),
      signal,
    )
  }
  const one = (id: string) => asked.find((entry) => entry.id === id) as Asked
  return { fastest, all, asked, discarded, open, one, ids: () => asked.map(({ id }) => id) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the fastest gateway of a domain', () => {
  it('is the first of all that works, and is asked alone from then on', async () => {
    const { open, one, ids, discarded } = gateways('a', 'b', 'c')
    const first = open()
    expect(ids()).toEqual(['a', 'b', 'c'])
    one('b').works()
    expect(await first).toEqual({ gateway: { id: 'b' }, opened: 'through b' })
    expect([one('a').signal.aborted, one('b').signal.aborted, one('c').signal.aborted]).toEqual([true, false, true])
    one('a').works()
    await settled()
    expect(discarded).toEqual(['through a'])
    const second = open()
    expect(ids()).toEqual(['b'])
    one('b').works()
    await second
  })

  it('gives way to the others when it fails, and the one that works then is preferred', async () => {
    const { fastest, open, one, ids } = gateways('a', 'b', 'c')
    fastest.prefer('domain', 'a')
    const opening = open()
    one('a').fails()
    await settled()
    expect(ids()).toEqual(['a', 'b', 'c'])
    one('c').works()
    expect((await opening).gateway.id).toBe('c')
    expect(fastest.preferred('domain')).toBe('c')
  })

  it('is forgotten once it belongs to another domain', async () => {
    const { fastest, all, open, one, ids } = gateways('a', 'b')
    fastest.prefer('domain', 'a')
    const opening = open(undefined, all.slice(1))
    expect(ids()).toEqual(['b'])
    one('b').works()
    await opening
    expect(fastest.preferred('domain')).toBe('b')
  })

  it('is looked for among a few at a time', async () => {
    const { open, one, ids } = gateways('a', 'b', 'c', 'd', 'e')
    const opening = open()
    expect(ids()).toEqual(['a', 'b', 'c', 'd'])
    one('a').fails()
    await settled()
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e'])
    one('e').works()
    expect((await opening).gateway.id).toBe('e')
  })

  it('does not exist when all fail, each with its error', async () => {
    const { open, one } = gateways('a', 'b')
    const opening = open()
    one('b').fails(new Error('second'))
    one('a').fails(new Error('first'))
    const error = await opening.catch((failed: unknown) => failed)
    expect(error).toBeInstanceOf(GatewaysFailed)
    const { failed } = error as GatewaysFailed<{ id: string }>
    expect(failed.map(({ gateway, error: cause }) => [gateway.id, (cause as Error).message])).toEqual([
      ['b', 'second'],
      ['a', 'first'],
    ])
  })

  it('is not looked for any further when its caller gives up', async () => {
    const { open, one } = gateways('a', 'b')
    const giveUp = new AbortController()
    const opening = open(giveUp.signal)
    giveUp.abort(new Error('enough'))
    await expect(opening).rejects.toThrow('enough')
    expect([one('a').signal.aborted, one('b').signal.aborted]).toEqual([true, true])
    await expect(open(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })
})
