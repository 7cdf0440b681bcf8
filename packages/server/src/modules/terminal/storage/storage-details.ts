import { secretTypes } from '@castellan/contract/choices/accounts'
import {
  azureEndpointSuffixes,
  type commandStorageTypes,
  type replayStorageTypes,
  swiftProtocols,
} from '@castellan/contract/choices/terminal'
import { boolean, describedAs, type Field, integer, rawChoice, stringList, text } from '../../../kernel/fields/index.ts'
import type { StorageKind } from './storage-names.ts'

type Details = Readonly<Record<string, Field>>

const named = text({ required: true, max: 1024 })
const hidden = (max = 1024) => text({ writeOnly: true, max })
const bucket: Details = { BUCKET: named, ACCESS_KEY: text({ max: 1024 }), SECRET_KEY: hidden(), ENDPOINT: named }

const replay: Partial<Record<keyof typeof replayStorageTypes, Details>> = {
  s3: bucket,
  ceph: bucket,
  oss: bucket,
  obs: bucket,
  cos: bucket,
  swift: {
    ...bucket,
    REGION: named,
    PROTOCOL: rawChoice(swiftProtocols, { default: 'http' }),
  },
  azure: {
    CONTAINER_NAME: named,
    ACCOUNT_NAME: named,
    ACCOUNT_KEY: text({ required: true, writeOnly: true, max: 1024 }),
    ENDPOINT_SUFFIX: rawChoice(azureEndpointSuffixes, {
      default: 'core.chinacloudapi.cn',
    }),
  },
  sftp: {
    SFTP_HOST: named,
    SFTP_PORT: integer({ default: 22 }),
    SFTP_USERNAME: named,
    STP_SECRET_TYPE: rawChoice(
      { password: secretTypes.password, ssh_key: secretTypes.ssh_key },
      { default: 'password' },
    ),
    SFTP_PASSWORD: hidden(),
    STP_PRIVATE_KEY: hidden(4096),
    STP_PASSPHRASE: hidden(),
    SFTP_ROOT_PATH: named,
  },
}

const command: Partial<Record<keyof typeof commandStorageTypes, Details>> = {
  es: {
    HOSTS: describedAs(stringList({ required: true }), {
      child: { type: 'string', required: true, read_only: false, write_only: false },
    }),
    INDEX_BY_DATE: boolean({ default: false }),
    INDEX: text({ max: 1024, default: 'jumpserver' }),
    IGNORE_VERIFY_CERTS: boolean({ default: false }),
  },
}

/** Fields of external storages, by kind and type, from which forms are built. */
export const storageDetails: Readonly<Record<StorageKind, Readonly<Record<string, Details>>>> = { replay, command }
