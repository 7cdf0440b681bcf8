import { ProviderFailure } from './failures.ts'
import type { Call, Instance, InstancePage, Region } from './provider.ts'

/** Machines at the end of a page that are read again with the next one. */
const overlap = 10

interface Position {
  offset: number
  /** Ids of the last machines that were read. */
  known: string[]
}

/** A page as the provider answers it. */
interface OffsetPage {
  instances: readonly Instance[]
  total: number
}

const changed = () => new ProviderFailure('bad_answer', { reason: 'the list changed while it was read' })

/**
 * The next page of a list that is read by offset. When a machine disappears during that, the others move forward, and one
 * of them would be missed and count as gone. So pages overlap: one of the last machines must be seen again.
 * @throws ProviderFailure when too much has changed
 */
export async function pageByOffset(
  cursor: string | undefined,
  read: (offset: number) => Promise<OffsetPage>,
): Promise<InstancePage> {
  const { offset, known }: Position = cursor === undefined ? { offset: 0, known: [] } : JSON.parse(cursor)
  const from = Math.max(0, offset - known.length)
  const { instances, total } = await read(from)
  const ids = instances.map(({ id }) => id)
  if (known.length > 0 && !known.some((id) => ids.includes(id))) throw changed()
  const until = from + instances.length
  const fresh = instances.filter(({ id }) => !known.includes(id))
  if (until >= total) return { instances: fresh }
  if (until <= offset) throw changed()
  return { instances: fresh, next: JSON.stringify({ offset: until, known: ids.slice(-overlap) } satisfies Position) }
}

/**
 * The next page of a list that is read by number. Such pages cannot overlap: a list whose length changes meanwhile may
 * have moved, and fails. `read`: numbers begin with 1.
 * @throws ProviderFailure
 */
export async function pageByNumber(
  cursor: string | undefined,
  pageSize: number,
  read: (number: number) => Promise<OffsetPage>,
): Promise<InstancePage> {
  const { number, expected } = cursor === undefined ? { number: 1, expected: undefined } : JSON.parse(cursor)
  const { instances, total } = await read(number)
  if (expected !== undefined && total !== expected) throw changed()
  if (number * pageSize >= total) return { instances }
  if (instances.length < pageSize) throw changed()
  return { instances, next: JSON.stringify({ number: number + 1, expected: total }) }
}

/** Regions of an API that answers for an unknown one with something else than an error. They are read once for all pages. */
export function regionsReadOnce(read: (call: Call) => Promise<readonly Region[]>) {
  let known: readonly Region[] | undefined
  const again = async (call: Call) => {
    known = await read(call)
    return known
  }
  return {
    read: again,
    /** @throws ProviderFailure when there is no such region */
    async demand(region: string, call: Call): Promise<void> {
      if (!(known ?? (await again(call))).some(({ id }) => id === region))
        throw new ProviderFailure('no_region', { region })
    },
  }
}
