import { cloudErrors } from '@castellan/contract/messages/cloud'
import type { AttributeSet } from '../../kernel/resource/sealed-attributes.ts'
import type { Provider } from './providers/provider.ts'

/** The attributes of an account, by its provider. Each decides to whom the secrets are sent. */
export const attributesOf = (provider: Provider): AttributeSet => ({
  place: 'xpack_account.attrs',
  fields: provider.attributes,
  secretAgain: cloudErrors.secret_again,
})
