import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { Copy, Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { putOnClipboard } from '../../kit/copy.ts'
import { session } from '../../kit/session.ts'
import { locale } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { t } from '../text.ts'
import type { Pane } from '../workspace/model.ts'

interface Endpoint {
  host: string
  ssh_port: number
}

/** Guide for the user's own SSH client: one-time credentials, and commands that use them. */
export function GuidePane({ pane, onRenew, onClose }: { pane: Pane; onRenew: () => void; onClose: () => void }) {
  const [shown, setShown] = useState(false)
  const { data: endpoint } = useQuery({
    queryKey: ['terminal', 'endpoint', pane.tokenId],
    queryFn: () =>
      call<Endpoint>('/api/v1/terminal/endpoints/smart/', { query: { protocol: 'ssh', token: pane.tokenId } }),
  })
  const { target, tokenId, tokenValue } = pane
  const host = endpoint?.host || location.hostname
  const port = endpoint?.ssh_port || 2222
  const onPort = port === 22 ? '' : ` -p ${port}`
  const own = `${session().profile.username}#${target.account}#${target.asset.id}`
  return (
    <div className="guide">
      <h2>{t('guideTitle', { asset: target.asset.name })}</h2>
      <p className="muted">{t('guideHelp')}</p>
      <dl className="facts">
        <Fact name={t('host')} value={host} />
        <Fact name={t('port')} value={String(port)} />
        <Fact name={t('username')} value={`JMS-${tokenId}`} />
        <Fact name={t('password')} value={tokenValue} shown={shown ? tokenValue : '•'.repeat(12)}>
          <Button
            type="text"
            size="small"
            icon={shown ? <EyeOff size={14} /> : <Eye size={14} />}
            aria-label={shown ? t('hide') : t('show')}
            onClick={() => setShown(!shown)}
          />
        </Fact>
        <div>
          <dt>{t('validUntil')}</dt>
          <dd className="num">{new Date(pane.tokenExpires).toLocaleString(locale())}</dd>
        </div>
      </dl>
      <h2>{t('guideOnce')}</h2>
      <CommandLine text={`ssh JMS-${tokenId}@${host}${onPort}`} />
      <h2>{t('guideOwn')}</h2>
      <CommandLine text={`ssh '${own}'@${host}${onPort}`} />
      <div className="line guide-foot">
        <Button onClick={onRenew}>{t('newCredentials')}</Button>
        <Button type="text" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}

function Fact(props: { name: string; value: string; shown?: string; children?: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <span className="mono">{props.shown ?? props.value}</span>
        {props.children}
        <CopyButton text={props.value} />
      </dd>
    </div>
  )
}

function CommandLine({ text }: { text: string }) {
  return (
    <p className="command-line">
      <code>{text}</code>
      <CopyButton text={text} />
    </p>
  )
}

function CopyButton({ text }: { text: string }) {
  const copy = async () => {
    if (await putOnClipboard(text)) toast.ok(t('copied'))
  }
  return (
    <Button type="text" size="small" icon={<Copy size={14} />} aria-label={t('copy')} onClick={() => void copy()} />
  )
}
