import { assetsMessages } from '@castellan/contract/messages/assets'
import { ApiError, render, text as say } from '../../../kernel/module/errors.ts'

/** 403 for changes of a built-in platform, and of what belongs to it. The contract's body has no code. */
export const internalPlatform = () =>
  new ApiError(403, 'internal platform', (language) => ({
    detail: render(say(assetsMessages.platform_internal), language),
  }))
