import { pathOf } from '@castellan/contract/routes'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { WireForm } from '../../kit/wire.ts'
import { factNames } from './hardware.tsx'

const url = '/api/v1/assets/hosts/'

/** Name and address of a host, and the facts that were collected from it. */
export const form: FormSpec<WireForm<typeof url>> = {
  url,
  path: pathOf('AssetList'),
  resource: 'assets.asset',
  noun: 'asset',
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'address'] },
    {
      key: 'hardware',
      title: 'hardware',
      help: 'hardwareFormHelp',
      fields: factNames.map((name) => `gathered_info.${name}` as const),
    },
  ],
  fields: {
    name: { layout: { half: true } },
    address: { layout: { half: true, mono: true } },
    ...Object.fromEntries(factNames.map((name) => [`gathered_info.${name}`, { layout: { half: true } }])),
  },
  submit: { method: 'PATCH' },
}
