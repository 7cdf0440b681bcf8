/** Fields of all account forms, for accounts saved on their own or with their asset. */
import { encryptSecret } from '../../kit/api/secret.ts'
import type { FieldSpec, FieldSpecs, Values } from '../../kit/form/spec.ts'
import { type Row, wordOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import type { accountsUrl } from './address.ts'
import { isPrivilegedName, secretWord } from './secret-types.ts'

type SecretType = WireRow<typeof accountsUrl>['secret_type']['value']
type SecretField = `${SecretType}_secret`

/** The object of an account's form, which adds accounts to several `assets` too. */
export type AccountForm = WireForm<typeof accountsUrl, SecretField | 'assets' | 'su_from_username'>

/** How a secret is entered. */
const secretInputs: Readonly<Record<SecretType, FieldSpec>> = {
  password: { widget: 'secret', label: 'secret' },
  ssh_key: { widget: 'file-text', label: 'sshKeyPrivate' },
  token: { widget: 'file-text', label: 'token' },
  access_key: { widget: 'file-text', label: 'accessKey' },
  api_key: { widget: 'file-text', label: 'apiKey' },
}

const typeOf = (values: Values): string => String(values.secret_type ?? 'password')
const accountField = (type: string): string => `${type}_secret`

/** One field per secret type, called by `nameOf`. Only the field of the selected type is sent, as `secret`. */
export const secretFields = (
  nameOf: (type: string) => string = accountField,
  hidden: (values: Values) => boolean = () => false,
): Readonly<Record<string, FieldSpec>> =>
  Object.fromEntries(
    Object.entries(secretInputs).map(([type, input]) => [
      nameOf(type),
      {
        ...input,
        sending: { local: true },
        state: { hidden: (values: Values) => typeOf(values) !== type || hidden(values) },
      },
    ]),
  )

/** The passphrase of a private key. */
export const passphraseField = (hidden: (values: Values) => boolean = () => false): FieldSpec => ({
  widget: 'password',
  sending: { secret: true },
  state: { hidden: (values) => typeOf(values) !== 'ssh_key' || hidden(values) },
})

/** Accounts and templates with the same name differ by their username. */
export const nameWithUsername = (row: Row): string =>
  row.username ? `${wordOf(row.name)}(${row.username})` : wordOf(row.name)

export const secretNames = [
  'secret_type',
  ...(Object.keys(secretInputs).map(accountField) as SecretField[]),
  'passphrase',
] as const

/** `types`: secret types of the asset. `kept`: the account exists, so its username cannot be changed. */
export function accountFields(types: readonly string[], kept: boolean): FieldSpecs<AccountForm> {
  return {
    ...secretFields(),
    username: {
      layout: { half: true, mono: true },
      state: { disabled: kept },
      follow: (value, values): Values => ({
        ...(kept || (values.name && values.name !== values.named) ? {} : { name: value, named: value }),
        ...(isPrivilegedName(String(value)) ? { privileged: true } : {}),
      }),
    },
    name: { layout: { half: true }, validation: { required: true } },
    privileged: { widget: 'checkbox', texts: { help: 'privilegedHelp' } },
    secret_type: {
      choices: { options: types.map((type) => ({ value: type, label: secretWord(type) })) },
      widget: 'choice',
      validation: { required: true },
    },
    passphrase: passphraseField(),
  }
}

/** The secret to send, encrypted. An empty field does not change the stored secret. */
export async function withSecret(
  body: Record<string, unknown>,
  values: Values,
  nameOf: (type: string) => string = accountField,
): Promise<Record<string, unknown>> {
  const out = { ...body }
  if (out.passphrase === undefined || out.passphrase === '') delete out.passphrase
  const secret = values[nameOf(typeOf(values))]
  if (typeof secret === 'string' && secret !== '') out.secret = await encryptSecret(secret)
  return out
}
