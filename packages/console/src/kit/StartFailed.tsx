/** Error page of a failed start-up, for the console and the web terminal. */
import { say } from '@castellan/contract/messages'
import { consoleStartMessages } from '@castellan/contract/messages/console-start'
import { Button } from 'antd'
import { CloudOff } from 'lucide-react'
import { pageLanguage } from '../browser/languages.ts'
import { ApiError, serverMessage } from './api/errors.ts'
import { Theme } from './theme.tsx'

type Key = keyof typeof consoleStartMessages

/** @param error an `ApiError`, or the failed import of a chunk */
function whyNot(error: unknown): Key | { said: string } {
  if (!(error instanceof ApiError) || error.status === 0) return 'errorNetwork'
  if (error.status === 400) return 'untrustedDomain'
  return { said: serverMessage(error.status, error.body) }
}

export function StartFailed({ error }: { error: unknown }) {
  const word = (key: Key) => say(consoleStartMessages[key], pageLanguage())
  const why = whyNot(error)
  return (
    <Theme>
      <div className="state whole" role="alert">
        <CloudOff size={24} aria-hidden />
        <h1>{word('startFailed')}</h1>
        <p>{typeof why === 'string' ? word(why) : why.said || word('errorServerStart')}</p>
        <Button type="primary" onClick={() => location.reload()}>
          {word('retry')}
        </Button>
      </div>
    </Theme>
  )
}
