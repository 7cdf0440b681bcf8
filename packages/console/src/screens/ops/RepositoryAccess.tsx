/** How the Git repository of a playbook is signed in to: what is stored, and a dialog that changes it. */
import { vcsAccessMethods } from '@castellan/contract/choices/ops'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ApiError, fieldErrors } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { encryptSecret } from '../../kit/api/secret.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { Failed } from '../../kit/list/states.tsx'
import type { Row } from '../../kit/row.ts'
import { inRoot } from '../../kit/session.ts'
import { language, t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

type Method = keyof typeof vcsAccessMethods

interface Access {
  method: Method
  username: string
  has_secret: boolean
  host_key: string
  scheme: 'https' | 'ssh'
}

const urlOf = (id: string) => `/api/v1/ops/playbooks/${id}/vcs-access/`
/** Without a key, nothing is read over SSH. */
const wordOf = (method: Method, scheme: Access['scheme']) =>
  scheme === 'ssh' && method === 'none' ? t('playbookAccessNoKey') : vcsAccessMethods[method][language]
const isBy = (method: Method) => (values: Values) => values.method === method

type Entered = Row & {
  method: Method
  username: string
  token: string
  key: string
  passphrase: string
  forget_host_key: boolean
}

/** An error about the secret stands at the field in which it was entered. */
function atItsField(error: unknown, field: 'token' | 'key'): unknown {
  const said = error instanceof ApiError ? fieldErrors(error.body).secret : undefined
  return error instanceof ApiError && said ? new ApiError(error.status, { [field]: said }, error.message) : error
}

function formOf(id: string, access: Access): FormSpec<Entered> {
  const methods: Method[] = access.scheme === 'ssh' ? ['ssh_key', 'none'] : ['none', 'password']
  const isKept = (method: Method) => access.has_secret && access.method === method
  const kept = (method: Method) => (isKept(method) ? { help: 'secretKeepHelp' as const } : {})
  return {
    url: urlOf(id),
    noun: 'playbook',
    initial: () => ({
      method: access.scheme === 'ssh' && !access.has_secret ? 'ssh_key' : access.method,
      username: access.username,
    }),
    groups: [
      {
        key: 'basic',
        title: 'groupBasic',
        help: 'playbookAccessHelp',
        fields: ['method', 'username', 'token', 'key', 'passphrase', 'forget_host_key'],
      },
    ],
    fields: {
      method: { widget: 'choice' },
      username: {
        layout: { mono: true },
        validation: { required: true },
        state: { hidden: (v) => !isBy('password')(v) },
      },
      token: {
        widget: 'password',
        texts: kept('password'),
        validation: { required: !isKept('password') },
        state: { hidden: (values) => !isBy('password')(values) },
      },
      key: {
        widget: 'file-text',
        texts: kept('ssh_key'),
        validation: { required: !isKept('ssh_key') },
        state: { hidden: (values) => !isBy('ssh_key')(values) },
      },
      passphrase: { widget: 'password', state: { hidden: (values) => !isBy('ssh_key')(values) } },
      forget_host_key: { widget: 'checkbox', state: { hidden: () => access.host_key === '' } },
    },
    submit: { verb: 'save' },
    local: {
      fields: {
        method: {
          ...{ type: 'choice', label: t('playbookAccessMethod'), required: true },
          choices: methods.map((value) => ({ value, label: wordOf(value, access.scheme) })),
        },
        username: { type: 'string', label: t('username'), max_length: 128 },
        token: { type: 'string', label: t('playbookAccessToken'), max_length: 4096 },
        key: { type: 'string', label: t('sshKeyPrivate'), max_length: 16_384 },
        passphrase: { type: 'string', label: t('passphrase'), max_length: 1024 },
        forget_host_key: { type: 'boolean', label: t('playbookHostKeyForget') },
      },
      save: async (entered) => {
        const { method, username, token, key, passphrase, forget_host_key } = entered as Partial<Entered>
        const field = method === 'password' ? 'token' : 'key'
        const secret = field === 'token' ? token : key
        const body = {
          ...{ method, forget_host_key: forget_host_key === true },
          ...(method === 'password' ? { username } : {}),
          ...(method !== 'none' && secret ? { secret: await encryptSecret(secret) } : {}),
          ...(method === 'ssh_key' && passphrase ? { passphrase: await encryptSecret(passphrase) } : {}),
        }
        return call<Row>(urlOf(id), { method: 'PUT', body, quiet: true }).catch((error: unknown) => {
          throw atItsField(error, field)
        })
      },
    },
  }
}

export function RepositoryAccess({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const read = useQuery({
    queryKey: ['playbook-access', id, ...audience()],
    queryFn: () => call<Access>(urlOf(id), { quiet: true }),
  })
  const access = read.data
  return (
    <section data-part="repository-access">
      <div className="section-head">
        <h2>{t('playbookAccess')}</h2>
        <div className="grow" />
        {access && !inRoot() && (
          <Button size="small" icon={<KeyRound size={14} />} onClick={() => setOpen(true)}>
            {t('playbookAccessSet')}
          </Button>
        )}
      </div>
      {read.error && <Failed error={read.error} retry={() => void read.refetch()} />}
      {access && (
        <dl className="facts">
          <div>
            <dt>{t('playbookAccessMethod')}</dt>
            <dd>{wordOf(access.method, access.scheme)}</dd>
          </div>
          {access.username !== '' && (
            <div>
              <dt>{t('username')}</dt>
              <dd className="mono">{access.username}</dd>
            </div>
          )}
          {access.scheme === 'ssh' && (
            <div>
              <dt>{t('playbookHostKey')}</dt>
              <dd className={access.host_key ? 'mono' : 'muted'}>{access.host_key || t('playbookHostKeyNone')}</dd>
            </div>
          )}
        </dl>
      )}
      {isOpen && access && (
        <FormDialog
          title={t('playbookAccess')}
          spec={formOf(id, access) as FormSpec}
          onClose={() => setOpen(false)}
          onSaved={() => {
            toast.ok(t('playbookAccessSaved'))
            void read.refetch()
          }}
        />
      )}
    </section>
  )
}
