/** Fields every form of an account has, whether it is saved by itself or together with its asset. */
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

/** One field for each kind of secret; only the shown one is sent, as `secret`. */
const secretFields: Readonly<Record<string, FieldSpec>> = {
  ...secretField('password', { widget: 'secret' }),
  ...secretField('ssh_key', { widget: 'file-text', label: 'sshKeyPrivate' }),
  ...secretField('token', { widget: 'file-text', label: 'token' }),
  ...secretField('access_key', { widget: 'file-text', label: 'accessKey' }),
  ...secretField('api_key', { widget: 'file-text', label: 'apiKey' }),
}

export const secretNames = ['secret_type', ...Object.keys(secretFields), 'passphrase']

/** `types`: kinds of secrets the asset takes. `kept`: the account stands, so its username is no longer changed. */
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

/** What is sent of the secret, encrypted; what was left empty stays as it is. */
export async function withSecret(body: Record<string, unknown>, values: Values): Promise<Record<string, unknown>> {
  const out = { ...body }
  if (out.passphrase === undefined || out.passphrase === '') delete out.passphrase
  const secret = values[`${String(values.secret_type ?? 'password')}_secret`]
  if (typeof secret === 'string' && secret !== '') out.secret = await encryptSecret(secret)
  return out
}
