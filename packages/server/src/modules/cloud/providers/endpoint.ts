import { errors } from '@castellan/contract/messages/errors'
import { type Field, text } from '../../../kernel/fields/index.ts'
import { reject } from '../../../kernel/module/errors.ts'
import { demandAllowedAddress } from './http-client.ts'

/** The address of a provider's API: scheme, host and port, and the path where it belongs to the address. */
export function endpoint({ withPath = false } = {}): Field<string, 'own'> {
  const plain = text({ required: true, max: 256 })
  return {
    ...plain,
    parse(input, ctx) {
      const value = plain.parse?.(input, ctx) as string
      const url = URL.canParse(value) ? new URL(value) : undefined
      if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return reject(errors.not_a_url)
      demandAllowedAddress(url.hostname)
      return withPath ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : url.origin
    },
  }
}

/** A host name or an address, without scheme and port. */
export function hostField(): Field<string, 'own'> {
  const plain = text({ required: true, max: 128 })
  return {
    ...plain,
    parse(input, ctx) {
      const value = String(plain.parse?.(input, ctx) ?? '').replace(/^\[|\]$/g, '')
      const url = `https://${value.includes(':') ? `[${value}]` : value}`
      if (/[\s/@?#\\]/.test(value) || !URL.canParse(url)) return reject(errors.not_a_url)
      return demandAllowedAddress(value)
    },
  }
}

/** The certificate of the authority that signed that of the provider. */
export const caCertificate = (): Field<string, 'own'> => text({ max: 65_536 })
