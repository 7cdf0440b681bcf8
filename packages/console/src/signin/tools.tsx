import type { ToolsPage } from '@castellan/contract/signin-page'
import { useState } from 'react'
import { putOnClipboard } from '../kit/copy.ts'
import { t } from './text.ts'

/** A command with a copy button. */
function Command({ lines }: { lines: readonly string[] }) {
  const [copied, setCopied] = useState(false)
  const text = lines.join('\n')
  return (
    <div className="command">
      <pre>
        {lines.map((line) => (
          <span key={line}>{`${line}\n`}</span>
        ))}
      </pre>
      <button type="button" className="linkish" onClick={() => void putOnClipboard(text).then(setCopied)}>
        {copied ? t('copied') : t('copy')}
      </button>
    </div>
  )
}

/** An entry for `~/.ssh/config`: the username contains account and address. */
const configOf = ({ host, port }: ToolsPage) => [
  'Host castellan-web-1',
  `  HostName ${host}`,
  `  Port ${port}`,
  '  User you@root@10.0.0.5',
]

export function Tools({ page }: { page: ToolsPage }) {
  const { host, port } = page
  // IPv6 addresses are in brackets where a path may follow.
  const place = host.includes(':') ? `[${host}]` : host
  const config = configOf(page)
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${config.join('\n')}\n`)}`
  return (
    <>
      <h1>{t('toolsTitle')}</h1>
      <p className="lead">{t('toolsText')}</p>
      <h2>{t('toolsMenu')}</h2>
      <Command lines={[`ssh -p ${port} you@${host}`]} />
      <h2>{t('toolsDirect')}</h2>
      <Command lines={[`ssh -p ${port} you@root@10.0.0.5@${host}`]} />
      <h2>{t('toolsFiles')}</h2>
      <Command
        lines={[
          `sftp -P ${port} you@root@10.0.0.5@${place}`,
          `scp -P ${port} report.txt you@root@10.0.0.5@${place}:/tmp/`,
          `rsync -e 'ssh -p ${port}' report.txt you@root@10.0.0.5@${place}:/tmp/`,
        ]}
      />
      <h2>{t('toolsConfig')}</h2>
      <Command lines={config} />
      <p className="small">
        {t('toolsNames')}{' '}
        <a href={file} download="castellan-ssh-config">
          {t('toolsSave')}
        </a>
      </p>
      <h2>{t('toolsKey')}</h2>
      <Command lines={[page.fingerprint]} />
      <p className="small">{t('toolsKeyText')}</p>
      <a className="button" href="/luna/">
        {t('toolsTerminal')}
      </a>
    </>
  )
}
