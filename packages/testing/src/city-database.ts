/** Writes small databases in the MaxMind DB format, version 2, for IPv4. */

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

function head(type: number, size: number): Buffer {
  const [bits, more] = size < 29 ? [size, []] : [29, [size - 29]]
  if (size >= 29 + 256) throw new Error('The value is too long for a test.')
  return type > 7 ? Buffer.from([bits, type - 7, ...more]) : Buffer.from([(type << 5) | bits, ...more])
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(2, text.length), text])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(([key, one]) => [encoded(key), encoded(one)])])
}

const bitsOf = (network: string): number[] => {
  const [address = '', length] = network.split('/')
  const bits = address.split('.').flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number))
  return bits.slice(0, Number(length))
}

/** @param records what is known of each network: `{ '192.0.2.0/24': { city: { names: { en: 'Paris' } } } }` */
export function cityDatabase(records: Readonly<Record<string, Value>>): Buffer {
  const parts = Object.entries(records).map(([network, record]) => ({ bits: bitsOf(network), data: encoded(record) }))
  const nodes: [(number | Buffer)?, (number | Buffer)?][] = [[]]
  for (const { bits, data } of parts) {
    let at = 0
    bits.forEach((bit, depth) => {
      const node = nodes[at] ?? []
      if (depth === bits.length - 1) node[bit] = data
      else {
        if (node[bit] === undefined) node[bit] = nodes.push([]) - 1
        at = node[bit] as number
      }
    })
  }
  const section = Buffer.concat(parts.map(({ data }) => data))
  const offsets = new Map(parts.map(({ data }, index) => [data, sizeBefore(parts, index)]))
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((node, index) => {
    for (const side of [0, 1]) {
      const one = node[side]
      const offset: number | undefined = Buffer.isBuffer(one) ? nodes.length + 16 + (offsets.get(one) ?? 0) : one
      tree.writeUIntBE(offset ?? nodes.length, index * 6 + side * 3, 3)
    }
  })
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'Test-City',
    description: { en: 'test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), section, marker, encoded(metadata)])
}

const sizeBefore = (parts: readonly { data: Buffer }[], index: number): number =>
  parts.slice(0, index).reduce((sum, { data }) => sum + data.length, 0)
