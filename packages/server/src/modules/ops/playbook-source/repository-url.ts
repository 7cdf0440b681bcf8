import { opsMessages } from '@castellan/contract/messages/ops'
import { badRequest, text } from '../../../kernel/module/errors.ts'

/**
 * The address of a repository, as it may be asked: `https` with a name or an address, and without a name and password,
 * which would be stored and shown with it. Undefined for anything else.
 */
export function repositoryUrlIn(given: string): URL | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return url?.protocol === 'https:' && isPlain && url.hostname !== '' ? url : undefined
}

/** @throws 400 for what is no address of a repository */
export function repositoryUrl(given: string): URL {
  const url = repositoryUrlIn(given)
  if (!url) throw badRequest(text(opsMessages.vcs_url_invalid), 'vcs_url_invalid')
  return url
}
