import { listOfCell } from '../../../kernel/fields/index.ts'

/** `ssh/22`, as cells of files write a protocol, in the form of the wire; anything else as it is. */
export function protocolOfText(input: unknown): unknown {
  const parts = typeof input === 'string' ? /^([^/]+)\/(\d+)$/.exec(input.trim()) : null
  return parts ? { name: parts[1], port: parts[2] } : input
}

/** The protocols that a cell lists. */
export function protocolsOfCell(cell: string): unknown {
  const list = listOfCell(cell)
  return Array.isArray(list) ? list.map(protocolOfText) : list
}
