import { listOfCell } from '../../../kernel/fields/index.ts'

/** Converts `ssh/22`, the form of a protocol in file cells, to wire form; anything else is returned unchanged. */
export function protocolOfText(input: unknown): unknown {
  const parts = typeof input === 'string' ? /^([^/]+)\/(\d+)$/.exec(input.trim()) : null
  return parts ? { name: parts[1], port: parts[2] } : input
}

/** The protocols listed in a cell. */
export function protocolsOfCell(cell: string): unknown {
  const list = listOfCell(cell)
  return Array.isArray(list) ? list.map(protocolOfText) : list
}
