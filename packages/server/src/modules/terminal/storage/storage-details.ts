import { secretTypes } from '@castellan/contract/choices/accounts'
import {
  azureEndpointSuffixes,
  type commandStorageTypes,
  type replayStorageTypes,
  swiftProtocols,
} from '@castellan/contract/choices/terminal'
import { errors } from '@castellan/contract/messages/errors'
import { storageFailures, storageMessages as texts } from '@castellan/contract/messages/storages'
import { boolean, describedAs, type Field, integer, rawChoice, secret, text } from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import { reject } from '../../../kernel/module/errors.ts'
import type { AttributeSet } from '../../../kernel/resource/sealed-attributes.ts'
import { isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'
import { hostPasswords, searchHosts } from './search-hosts.ts'
import { type StorageKind, storageTable } from './storage-names.ts'

type Details = Readonly<Record<string, Field>>

const longest = 1024
const named = text({ required: true, max: longest })
const hidden = (max = longest) => secret({ max })

/** A text that becomes a part of host names or paths, so nothing else may be in it. */
const part = (pattern: RegExp): Field<string, 'own'> => ({
  ...named,
  parse(input, ctx) {
    const value = named.parse?.(input, ctx) as string
    return pattern.test(value) ? value : reject(texts.part_wrong)
  },
})

const demandAllowed = (host: string) =>
  isForbiddenAddress(host) ? reject(storageFailures.forbidden_address, { address: host }) : host

/** The address of a storage: scheme, host and port. */
const endpoint: Field<string, 'own'> = {
  ...named,
  parse(input, ctx) {
    const value = named.parse?.(input, ctx) as string
    const written = value.includes('://') ? value : `https://${value}`
    const url = URL.canParse(written) ? new URL(written) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return reject(errors.not_a_url)
    if (url.pathname !== '/' || url.search || url.hash) return reject(texts.endpoint_path)
    demandAllowed(url.hostname)
    return url.origin
  },
}

const host: Field<string, 'own'> = {
  ...named,
  parse(input, ctx) {
    const value = String(named.parse?.(input, ctx) ?? '').replace(/^\[|\]$/g, '')
    const url = `https://${value.includes(':') ? `[${value}]` : value}`
    if (/[\s/@?#\\]/.test(value) || !URL.canParse(url)) return reject(errors.not_a_url)
    return demandAllowed(value)
  },
}

const bucket: Details = {
  BUCKET: part(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  ACCESS_KEY: text({ max: longest }),
  SECRET_KEY: hidden(),
  ENDPOINT: endpoint,
}

const replay: Partial<Record<keyof typeof replayStorageTypes, Details>> = {
  s3: bucket,
  ceph: bucket,
  oss: bucket,
  obs: bucket,
  cos: bucket,
  swift: {
    ...bucket,
    REGION: part(/^[A-Za-z0-9_-]+$/),
    PROTOCOL: rawChoice(swiftProtocols, { default: 'http' }),
  },
  azure: {
    CONTAINER_NAME: part(/^[A-Za-z0-9$-]+$/),
    ACCOUNT_NAME: part(/^[A-Za-z0-9-]+$/),
    ACCOUNT_KEY: secret({ required: true, max: longest }),
    ENDPOINT_SUFFIX: rawChoice(azureEndpointSuffixes, { default: 'core.chinacloudapi.cn' }),
  },
  sftp: {
    SFTP_HOST: host,
    SFTP_PORT: describedAs(integer({ default: 22, min: 1, max: 65_535 }), {
      min_value: undefined,
      max_value: undefined,
    }),
    SFTP_USERNAME: named,
    STP_SECRET_TYPE: rawChoice(
      { password: secretTypes.password, ssh_key: secretTypes.ssh_key },
      { default: 'password' },
    ),
    SFTP_PASSWORD: hidden(),
    STP_PRIVATE_KEY: hidden(4096),
    STP_PASSPHRASE: hidden(),
    SFTP_ROOT_PATH: named,
    /** Noted at the first connection when it is empty. */
    SFTP_HOST_KEY: text({ max: 128 }),
  },
}

const command: Partial<Record<keyof typeof commandStorageTypes, Details>> = {
  es: {
    HOSTS: searchHosts,
    [hostPasswords]: { ...hidden(65_536), undescribed: true },
    INDEX_BY_DATE: boolean({ default: false }),
    INDEX: indexName(),
    IGNORE_VERIFY_CERTS: boolean({ default: false }),
  },
}

/** A name of an index: a part of paths, in which patterns and other indexes must not be addressed. */
function indexName(): Field<string, 'own'> {
  const plain = text({ max: longest, default: 'jumpserver' })
  return {
    ...plain,
    parse(input, ctx) {
      const value = String(plain.parse?.(input, ctx) ?? '').toLowerCase()
      return /^[a-z0-9][a-z0-9._-]*$/.test(value) ? value : reject(texts.part_wrong)
    },
  }
}

/** Fields of external storages, by kind and type, from which forms are built. */
export const storageDetails: Readonly<Record<StorageKind, Readonly<Record<string, Details>>>> = { replay, command }

/** Whether a type is outside of the server, and so has details. */
export const isExternal = (kind: StorageKind, type: string): boolean => own(storageDetails[kind], type) !== undefined

/** Passwords of hosts follow a rule of their own (`search-hosts.ts`). */
const addresses = new Set(['ENDPOINT', 'PROTOCOL', 'ACCOUNT_NAME', 'ENDPOINT_SUFFIX', 'SFTP_HOST', 'SFTP_PORT'])

/** The details of a type, as a column that holds secrets. */
export const storageAttributes = (kind: StorageKind, type: string): AttributeSet => ({
  place: `${storageTable(kind)}.meta`,
  fields: own(storageDetails[kind], type) ?? {},
  isAddress: (name) => addresses.has(name),
  secretAgain: texts.secret_again,
})
