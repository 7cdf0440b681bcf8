import { type PretendCloud, reply } from './cloud.ts'
import { isSignedForBaidu, keyAttrs, wrongKey } from './signed.ts'

const failure = (status: number, code: string) =>
  reply({ code, message: 'as the vendor words it', requestId: 'ae2225f7-1c2e-427a-a1ad-5413b762957d' }, status)

/** BCC of Baidu AI Cloud, version 2. */
export const baiduCloud: PretendCloud = {
  provider: 'baiducloud',
  attrs: () => keyAttrs,
  wrong: wrongKey,
  region: 'bj',
  strange: 'xx',
  right: 'bcc:ListInstances',
  isList: ({ path, query }) => path === '/v2/instance' && query.get('maxKeys') !== '1',
  forbidden: failure(403, 'AccessDenied'),
  throttled: failure(429, 'RequestLimitExceeded'),
  answer(request, machines) {
    const { host, path, query } = request
    if (host !== 'bcc.bj.baidubce.com' || path !== '/v2/instance') return failure(404, 'NoSuchObject')
    if (!isSignedForBaidu(request)) return failure(403, 'SignatureDoesNotMatch')
    // Fewer than are asked for, so that there are pages.
    const size = Math.min(Number(query.get('maxKeys')), 100)
    const marker = query.get('marker')
    const from = marker ? machines.findIndex(({ id }) => id === marker) : 0
    const next = machines[from + size]
    return reply({
      marker: marker ?? '',
      maxKeys: size,
      isTruncated: next !== undefined,
      ...(next ? { nextMarker: next.id } : {}),
      instances: machines.slice(from, from + size).map((one) => ({
        id: one.id,
        name: one.name,
        osName: one.isWindows ? 'Windows Server' : 'CentOS',
        status: 'Running',
        internalIp: one.address,
        publicIp: one.publicAddress,
      })),
    })
  },
}
