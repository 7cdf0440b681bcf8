import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Message } from '@castellan/contract/messages'
import { toolTexts as texts } from '@castellan/contract/messages/tools'
import ipaddr from 'ipaddr.js'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { addressesOf } from '../../../kernel/security/address-ranges.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'

/** Addresses of one request. */
const mostTargets = 256
/** Characters of the text with the addresses. */
const longestText = 4096
/** Longest name of a host. */
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i

/** A target of a tool: always an address, whatever was typed. */
export interface Target {
  address: string
  /** As shown: with the name that was typed. */
  label: string
}

export interface SkippedTarget {
  target: string
  reason: Message
}

/** Whether an address belongs to this machine. */
export function isOwnAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'loopback') return true
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return own.some((entry) => ipaddr.process(entry.address).toString() === parsed.toString())
}

const whyForbidden = (address: string, mayExamineServer: boolean): Message | undefined => {
  if (isForbiddenAddress(address)) return texts.forbidden_address
  return mayExamineServer || !isOwnAddress(address) ? undefined : texts.own_address
}

/** `10.0.0.1-9` is short for `10.0.0.1-10.0.0.9`. */
const fullRange = (part: string): string =>
  part.replace(/^(\d+\.\d+\.\d+\.)(\d+)\s*-\s*(\d+)$/, (_whole, net, first, last) => `${net}${first}-${net}${last}`)

/** The addresses of an address, a range, a network or a name; none if it is nothing of that. */
async function expanded(part: string): Promise<Target[]> {
  const range = addressesOf(fullRange(part))
  if (range) {
    if (range.size > mostTargets) throw badRequest(text(texts.too_many, { max: mostTargets }))
    return Array.from({ length: range.size }, (_, index) => {
      const address = range.at(index)
      return { address, label: address }
    })
  }
  // A text of digits and dots would be resolved as an abbreviated address.
  if (!hostName.test(part) || /^[\d.]+$/.test(part) || /^0x/i.test(part)) return []
  const found = await lookup(part).catch(() => undefined)
  return found && isIP(found.address) ? [{ address: found.address, label: `${part} (${found.address})` }] : []
}

/**
 * The targets that a text names, separated by commas. Each is an address: a program never sees what was typed, so no
 * target can be read as one of its options, and a name cannot lead elsewhere between check and use.
 * @param mayExamineServer the caller may name this machine itself
 * @throws ApiError when there are none, or too many
 */
export async function targetsIn(
  written: unknown,
  mayExamineServer: boolean,
): Promise<{ targets: Target[]; skipped: SkippedTarget[] }> {
  const parts =
    typeof written === 'string'
      ? written
          .slice(0, longestText)
          .split(/[,，\s]+/)
          .filter(Boolean)
      : []
  if (parts.length === 0) throw badRequest(text(texts.no_target))
  const targets: Target[] = []
  const skipped: SkippedTarget[] = []
  for (const part of parts) {
    const found = await expanded(part)
    if (found.length === 0) skipped.push({ target: part, reason: texts.not_an_address })
    for (const one of found) {
      const reason = whyForbidden(one.address, mayExamineServer)
      if (reason) skipped.push({ target: one.label, reason })
      else targets.push(one)
    }
    if (targets.length > mostTargets) throw badRequest(text(texts.too_many, { max: mostTargets }))
  }
  return { targets, skipped }
}

/** Ports and ranges of ports of one request. */
const mostPorts = 100
const isPort = (value: string) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535

/** Ports, and ranges of them, from a list or a text with commas. @throws ApiError for anything else */
export function portsIn(written: unknown): string[] {
  if (written === undefined || written === null || written === '') return []
  const parts = (Array.isArray(written) ? written : [written])
    .flatMap((one) => (typeof one === 'number' || typeof one === 'string' ? String(one).split(/[,，\s]+/) : ['?']))
    .filter(Boolean)
  for (const part of parts) {
    const [first = '', last = first, ...more] = part.split('-')
    if (!isPort(first) || !isPort(last) || Number(first) > Number(last) || more.length > 0)
      throw badRequest(text(texts.invalid_port, { port: part.slice(0, 32), max: mostPorts }))
  }
  if (parts.length > mostPorts)
    throw badRequest(text(texts.invalid_port, { port: parts[mostPorts] ?? '', max: mostPorts }))
  return parts
}
