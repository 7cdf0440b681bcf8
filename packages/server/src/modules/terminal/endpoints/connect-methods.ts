import type { Message } from '@castellan/contract/messages'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { Context } from '../../../kernel/context.ts'
import { text } from '../../../kernel/fields/index.ts'
import { definePort } from '../../../kernel/hooks.ts'
import { defineRoute } from '../../../kernel/route.ts'
import { licenseState } from '../../xpack/index.ts'
import { components } from '../settings.ts'

interface Method {
  component: string
  type: 'web' | 'native'
  endpoint_protocol: string
  value: string
  label: Message
  /** Only in the extended edition. */
  extended?: boolean
}

const labels = {
  web_cli: texts.method_web_cli,
  web_gui: texts.method_web_gui,
  web_sftp: texts.method_web_sftp,
  ssh_client: texts.method_ssh_client,
  ssh_guide: texts.method_ssh_guide,
  sftp_client: texts.method_sftp_client,
  db_client: texts.method_db_client,
  db_guide: texts.method_db_guide,
  mstsc: texts.method_mstsc,
} as const
type Name = keyof typeof labels

const web = (component: string, value: Name): Method => ({
  component,
  type: 'web',
  endpoint_protocol: 'http',
  value,
  label: labels[value],
})
const native = (component: string, protocol: string, value: Name, extended = false): Method => ({
  component,
  type: 'native',
  endpoint_protocol: protocol,
  value,
  label: labels[value],
  ...(extended ? { extended } : {}),
})
const clients = (protocol: string, extended = false) => [
  native('magnus', protocol, 'db_client', extended),
  native('magnus', protocol, 'db_guide', extended),
]
const ssh = [web('koko', 'web_cli'), native('koko', 'ssh', 'ssh_client'), native('koko', 'ssh', 'ssh_guide')]
const cli = [web('koko', 'web_cli')]
const both = [web('koko', 'web_cli'), web('chen', 'web_gui')]

/** All connect methods, by protocol. */
const methods: Readonly<Record<string, readonly Method[]>> = {
  ssh,
  telnet: ssh,
  sftp: [web('koko', 'web_sftp'), native('koko', 'sftp', 'sftp_client')],
  redis: [...cli, ...clients('redis')],
  mongodb: cli,
  k8s: cli,
  clickhouse: cli,
  mysql: [...both, ...clients('mysql')],
  mariadb: [...both, ...clients('mariadb')],
  postgresql: [...both, ...clients('postgresql', true)],
  sqlserver: both,
  oracle: [web('chen', 'web_gui'), ...clients('oracle', true)],
  db2: [web('chen', 'web_gui')],
  rdp: [web('lion', 'web_gui'), native('razor', 'rdp', 'mstsc', true)],
  vnc: [web('lion', 'web_gui')],
  chatgpt: [web('kael', 'web_gui')],
}

/** The rules that remove connect methods from the caller: which of them remain. */
export const connectMethodRules = definePort<(ctx: Context) => Promise<(method: { value: string }) => boolean>>(
  'terminal.connect-method-rules',
)

/** Whether the installation offers a method, by license and by the settings of components. */
function offered(ctx: Context, protocol: string, method: Method): boolean {
  if (method.extended && !licenseState(ctx.services).valid) return false
  if (method.component === 'razor') return components.of(ctx).TERMINAL_RAZOR_ENABLED
  if (method.component === 'magnus') return components.of(ctx).TERMINAL_MAGNUS_ENABLED
  return protocol !== 'ssh' || method.type !== 'native' || components.of(ctx).TERMINAL_KOKO_SSH_ENABLED
}

const shown = (ctx: Context, { extended: _extended, label, ...method }: Method) => ({
  ...method,
  label: label[ctx.language],
})

/** The methods an installation offers for a protocol, without the caller's own rules. */
export function connectMethod(ctx: Context, protocol: string, value: string) {
  const found = methods[protocol]?.find((method) => method.value === value && offered(ctx, protocol, method))
  return found && shown(ctx, found)
}

export const connectMethodsRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/terminal/components/connect-methods/',
  requires: 'valid',
  summary: 'The connect methods, by protocol',
  fields: {
    GET: {
      value: text({ max: 128, required: true }),
      label: text({ max: 128, required: true }),
      type: text({ max: 128, required: true }),
      endpoint_protocol: text({ max: 128, required: true }),
      component: text({ max: 128, required: true }),
    },
  },
  async handle({ ctx, request }) {
    const flat = Boolean(request.query.flat)
    const isAllowed = flat ? () => true : await connectMethodRules.use(ctx)
    const byProtocol = Object.entries(methods).map(
      ([protocol, list]) =>
        [
          protocol,
          list
            .filter((method) => offered(ctx, protocol, method) && isAllowed(method))
            .map((method) => shown(ctx, method)),
        ] as const,
    )
    if (!flat) return Object.fromEntries(byProtocol)
    return [...new Map(byProtocol.flatMap(([, list]) => list).map((method) => [method.value, method])).values()]
  },
})
