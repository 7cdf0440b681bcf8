import type { AuthenticationConnectionTokenRow } from '@castellan/contract/wire.gen'
import type { Pane } from '../workspace/model.ts'

export type TokenRow = AuthenticationConnectionTokenRow

/** The pane of a token that another page has made. */
export function paneOfToken(token: TokenRow): Pane {
  const { asset, account, protocol, connect_method: method } = token
  const isFiles = protocol === 'sftp' || method === 'web_sftp'
  return {
    id: token.id,
    kind: isFiles ? 'files' : 'terminal',
    target: {
      asset: { id: asset?.id ?? '', name: asset?.name ?? '', address: '', type: '' },
      account: token.input_username || account,
      alias: account,
      protocol,
      method,
    },
    tokenId: token.id,
    tokenValue: '',
    tokenExpires: token.date_expired,
    state: 'connecting',
  }
}
