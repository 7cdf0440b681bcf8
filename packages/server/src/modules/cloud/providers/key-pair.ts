import { secret, text } from '../../../kernel/fields/index.ts'
import type { KeyPair } from './signatures.ts'

/** The attributes of providers that sign requests by a key pair. */
export const keyPairAttributes = {
  access_key_id: text({ max: 128, required: true }),
  access_key_secret: secret({ max: 256, required: true }),
}

interface Attributes {
  readonly access_key_id: string
  readonly access_key_secret: string
}

export const keyPairOf = ({ access_key_id: id, access_key_secret }: Attributes): KeyPair => ({
  id,
  secret: access_key_secret,
})
