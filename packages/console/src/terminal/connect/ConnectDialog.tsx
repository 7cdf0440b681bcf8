import { AutoComplete, Button, Checkbox, Input, type InputRef, Modal, Segmented } from 'antd'
import { KeyRound, type LucideIcon, Monitor, NotepadText, SquareTerminal, UserRound } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Select } from '../../kit/Select.tsx'
import { session } from '../../kit/session.ts'
import { type PlainKey, t } from '../text.ts'
import type { ConnectMethod, PermedAccount } from '../wire.ts'
import {
  type AccountGroup,
  type Choice,
  firstChoice,
  firstMethod,
  groupAccounts,
  manualFields,
  offeredMethods,
  offeredProtocols,
} from './choice.ts'
import { rememberedChoice, typedNames } from './memory.ts'
import type { Connector, ConnectStep } from './useConnector.ts'

type Asking = Extract<ConnectStep, { at: 'asking' }>

const groupNames: Record<AccountGroup, PlainKey> = {
  last: 'usedLastTime',
  secret: 'storedSecret',
  manual: 'typeSecret',
  special: 'withoutAccount',
}
const ways: Record<string, { icon: LucideIcon; name: PlainKey; hint: PlainKey }> = {
  web_cli: { icon: SquareTerminal, name: 'wayTerminal', hint: 'wayTerminalHint' },
  web_sftp: { icon: NotepadText, name: 'wayFiles', hint: 'wayFilesHint' },
  ssh_client: { icon: Monitor, name: 'wayClient', hint: 'wayClientHint' },
  sftp_client: { icon: Monitor, name: 'wayClient', hint: 'wayClientHint' },
  ssh_guide: { icon: KeyRound, name: 'wayGuide', hint: 'wayGuideHint' },
}
const charsets = ['default', 'utf8', 'gbk', 'gb2312', 'ios-8859-1']

/** Choice of protocol, account and connect method for an asset. Preselects the last used ones. */
export function ConnectDialog({ step, connector }: { step: Asking; connector: Connector }) {
  const { asset, methods, request } = step
  const remembered = rememberedChoice(asset.id)
  const [first] = useState(() => firstChoice(asset, methods, remembered, request.account))
  const [protocol, setProtocol] = useState(first.protocol)
  const [alias, setAlias] = useState(first.account)
  const [way, setWay] = useState(first.method)
  const [username, setUsername] = useState(typedNames(asset.id)[0] ?? '')
  const [secret, setSecret] = useState('')
  const [charset, setCharset] = useState(remembered?.connectOption.charset ?? 'default')
  const [again, setAgain] = useState(remembered?.autoLogin ?? true)
  const form = useRef<HTMLFormElement>(null)
  const secretField = useRef<InputRef>(null)
  const ids = { account: useId(), username: useId(), secret: useId(), charset: useId() }

  const groups = groupAccounts(asset, remembered?.account.alias)
  const account = asset.permed_accounts.find((one) => one.alias === alias)
  const offered = protocol ? offeredMethods(methods, protocol) : []
  const method = offered.find((one) => one.value === way)
  const fields = account && manualFields(account)
  const complete = protocol && account && method && !method.disabled && (!fields?.username || username.trim())

  const chooseProtocol = (name: string) => {
    setProtocol(name)
    setWay(firstMethod(methods, name, way)?.value)
  }
  const submit = () => {
    if (!complete) return
    const choice: Choice = {
      protocol,
      account,
      method,
      username: fields?.username ? username.trim() : '',
      secret: fields?.secret ? secret : '',
      option: charset === 'default' ? {} : { charset },
    }
    void connector.choose(choice, again && !fields?.secret && !fields?.username)
  }

  return (
    <Modal
      open
      width={520}
      title={t('connectToTitle', { asset: asset.name })}
      onCancel={connector.stop}
      footer={null}
      destroyOnHidden
      // Somebody who was quicker than the dialog stays in the field they chose.
      afterOpenChange={(open) =>
        open && !form.current?.contains(document.activeElement) && secretField.current?.focus()
      }
    >
      <form
        ref={form}
        className="connect"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className="muted connect-what">
          <span className="mono">{asset.address}</span> · {asset.platform.name}
          {asset.org_name && ` · ${asset.org_name}`}
        </p>
        {offeredProtocols(asset, methods).length === 0 && <p className="note soft-warning">{t('noProtocol')}</p>}
        {offeredProtocols(asset, methods).length > 1 && (
          <Segmented
            aria-label={t('protocol')}
            className="connect-protocols"
            value={protocol}
            onChange={chooseProtocol}
            options={offeredProtocols(asset, methods).map(({ name }) => ({ value: name, label: name.toUpperCase() }))}
          />
        )}
        <div className="field">
          <label htmlFor={ids.account}>{t('account')}</label>
          <Select
            id={ids.account}
            value={alias}
            onChange={setAlias}
            showSearch={{ optionFilterProp: 'search' }}
            notFoundContent={t('noAccount')}
            options={groups.map(({ group, accounts }) => ({
              label: t(groupNames[group]),
              title: group,
              options: accounts.map((one) => ({
                value: one.alias,
                search: `${one.name} ${one.username} ${t(groupNames[group])}`,
                label: <AccountLine account={one} />,
              })),
            }))}
          />
        </div>
        {fields?.username && (
          <div className="field">
            <label htmlFor={ids.username}>{t('username')}</label>
            <AutoComplete
              id={ids.username}
              value={username}
              onChange={setUsername}
              options={typedNames(asset.id).map((value) => ({ value }))}
            />
          </div>
        )}
        {alias === '@USER' && (
          <p className="muted small">{t('asYourself', { username: session().profile.username })}</p>
        )}
        {fields?.secret && (
          <div className="field">
            <label htmlFor={ids.secret}>{t('password')}</label>
            <Input.Password
              id={ids.secret}
              ref={secretField}
              value={secret}
              autoComplete="off"
              onChange={(event) => setSecret(event.target.value)}
            />
          </div>
        )}
        <fieldset className="field">
          <legend>{t('openWith')}</legend>
          <div className="choice">
            {offered.map((one) => (
              <WayCard key={one.value} method={one} on={one.value === way} onChoose={() => setWay(one.value)} />
            ))}
          </div>
        </fieldset>
        {(protocol === 'ssh' || protocol === 'telnet') && (
          <details className="connect-more">
            <summary>{t('advanced')}</summary>
            <label htmlFor={ids.charset}>{t('charset')}</label>
            <Select
              id={ids.charset}
              value={charset}
              onChange={setCharset}
              options={charsets.map((value) => ({ value, label: value === 'default' ? t('charsetDefault') : value }))}
            />
          </details>
        )}
        <div className="dialog-foot">
          {!fields?.secret && !fields?.username && !request.protocol && (
            <Checkbox checked={again} onChange={(event) => setAgain(event.target.checked)}>
              {t('connectLikeThis')}
            </Checkbox>
          )}
          <div className="grow" />
          <Button onClick={connector.stop}>{t('cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={step.busy} disabled={!complete} autoFocus={!fields?.secret}>
            {t('connect')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function AccountLine({ account }: { account: PermedAccount }) {
  const special = account.alias.startsWith('@')
  return (
    <span className="line account-line">
      {special ? <UserRound size={14} /> : <KeyRound size={14} />}
      <span className={special ? '' : 'mono'}>{special ? account.name : account.username || account.name}</span>
      {!special && account.name !== account.username && <span className="muted clip">{account.name}</span>}
    </span>
  )
}

function WayCard({ method, on, onChoose }: { method: ConnectMethod; on: boolean; onChoose: () => void }) {
  const way = ways[method.value]
  const Icon = way?.icon ?? Monitor
  return (
    <label className={on ? 'on' : ''}>
      <input type="radio" name="way" checked={on} disabled={method.disabled} onChange={onChoose} />
      <b>
        <Icon size={14} />
        {way ? t(way.name) : method.label}
      </b>
      {way && <span>{t(way.hint)}</span>}
    </label>
  )
}
