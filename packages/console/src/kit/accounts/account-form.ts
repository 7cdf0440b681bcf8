/** Fields of all account forms, for accounts saved on their own or with their asset. */
import { encryptSecret } from '../api/secret.ts'
import type { FieldSpec, Values } from '../form/spec.ts'
import { isPrivilegedName, secretWord } from './secret-types.ts'

const secretField = (type: string, more: FieldSpec): Record<string, FieldSpec> => ({
  [`${type}_secret`]: {
    label: 'secret',
    ...more,
    local: true,
    hidden: (values) => (values.secret_type ?? 'password') !== type,
  },
})

/** One field per secret type. Only the visible one is sent, as `secret`. */
const secretFields: Readonly<Record<string, FieldSpec>> = {
  ...secretField('password', { widget: 'secret' }),
  ...secretField('ssh_key', { widget: 'file-text', label: 'sshKeyPrivate' }),
  ...secretField('token', { widget: 'file-text', label: 'token' }),
  ...secretField('access_key', { widget: 'file-text', label: 'accessKey' }),
  ...secretField('api_key', { widget: 'file-text', label: 'apiKey' }),
}

export const secretNames = ['secret_type', ...Object.keys(secretFields), 'passphrase']

/** `types`: secret types of the asset. `kept`: the account exists, so its username cannot be changed. */
export function accountFields(types: readonly string[], kept: boolean): Record<string, FieldSpec> {
  return {
    ...secretFields,
    username: {
      half: true,
      mono: true,
      disabled: kept,
      follow: (value, values): Values => ({
        ...(kept || (values.name && values.name !== values.named) ? {} : { name: value, named: value }),
        ...(isPrivilegedName(String(value)) ? { privileged: true } : {}),
      }),
    },
    name: { half: true, required: true },
    privileged: { widget: 'checkbox', help: 'privilegedHelp' },
    secret_type: { options: types.map((type) => ({ value: type, label: secretWord(type) })), widget: 'choice' },
    passphrase: { widget: 'password', secret: true, hidden: (values) => values.secret_type !== 'ssh_key' },
  }
}

/** The secret to send, encrypted. An empty field does not change the stored secret. */
export async function withSecret(body: Record<string, unknown>, values: Values): Promise<Record<string, unknown>> {
  const out = { ...body }
  if (out.passphrase === undefined || out.passphrase === '') delete out.passphrase
  const secret = values[`${String(values.secret_type ?? 'password')}_secret`]
  if (typeof secret === 'string' && secret !== '') out.secret = await encryptSecret(secret)
  return out
}
