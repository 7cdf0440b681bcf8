import { type PretendCloud, reply } from './cloud.ts'
import { isSignedForJd, keyAttrs, wrongKey } from './signed.ts'

const region = 'cn-north-1'
const failure = (code: number, status: string) =>
  reply({ requestId: 'bk5vftqr5k3r', error: { code, status, message: 'as the vendor words it' } }, code)

/** Virtual machines of JD Cloud, version 1. */
export const jdCloud: PretendCloud = {
  provider: 'jdcloud',
  attrs: () => keyAttrs,
  wrong: wrongKey,
  region,
  strange: 'cn-west-9',
  right: 'vm:describeInstances',
  isList: ({ query }) => query.get('pageSize') === '100',
  forbidden: failure(403, 'PERMISSION_DENIED'),
  throttled: failure(429, 'RESOURCE_EXHAUSTED'),
  answer(request, machines) {
    const { host, path, query } = request
    if (host !== 'vm.jdcloud-api.com' || path !== `/v1/regions/${region}/instances`) return failure(404, 'NOT_FOUND')
    if (!isSignedForJd(request, region)) return failure(401, 'UNAUTHENTICATED')
    const [page, size] = [Number(query.get('pageNumber')), Number(query.get('pageSize'))]
    if (size < 10 || size > 100) return failure(400, 'INVALID_ARGUMENT')
    return reply({
      requestId: 'bk5vftqr5k3r',
      result: {
        totalCount: machines.length,
        instances: machines.slice((page - 1) * size, page * size).map((one) => ({
          instanceId: one.id,
          instanceName: one.name,
          osType: one.isWindows ? 'windows' : 'linux',
          status: 'running',
          privateIpAddress: one.address,
          elasticIpAddress: one.publicAddress,
        })),
      },
    })
  },
}
