import { signUcloud } from '../../modules/cloud/providers/signatures.ts'
import { type PretendCloud, reply } from './cloud.ts'

const privateKey = 'the-secret-of-the-project'

// Errors have status 200.
const failure = (RetCode: number) => reply({ RetCode, Action: 'Response', Message: 'as the vendor words it' })

/** UHost of UCloud. */
export const ucloudCloud: PretendCloud = {
  provider: 'ucloud',
  attrs: (url) => ({ base_url: url, public_key: 'public-key', private_key: privateKey, project: 'org-web' }),
  wrong: { private_key: 'another-secret' },
  region: 'cn-bj2',
  strange: 'cn-nowhere',
  right: 'uhost:DescribeUHostInstance',
  isList: ({ body }) => new URLSearchParams(body).get('Action') === 'DescribeUHostInstance',
  forbidden: failure(299),
  throttled: failure(153),
  answer(request, machines) {
    const { Signature, ...parameters } = Object.fromEntries(new URLSearchParams(request.body))
    if (Signature !== signUcloud(parameters, privateKey) || parameters.PublicKey !== 'public-key') return failure(171)
    if (parameters.Action === 'GetRegion')
      return reply({
        RetCode: 0,
        Action: 'GetRegionResponse',
        Regions: ['cn-bj2-04', 'cn-bj2-05'].map((Zone) => ({ RegionId: 1001, Region: 'cn-bj2', Zone })),
      })
    if (parameters.ProjectId !== 'org-web') return failure(299)
    if (parameters.Region !== 'cn-bj2') return failure(230)
    const from = Number(parameters.Offset)
    return reply({
      RetCode: 0,
      Action: 'DescribeUHostInstanceResponse',
      TotalCount: machines.length,
      UHostSet: machines.slice(from, from + Number(parameters.Limit)).map((one) => ({
        UHostId: one.id,
        Name: one.name,
        OsType: one.isWindows ? 'Windows' : 'Linux',
        State: 'Running',
        IPSet: [
          { Type: 'Private', IPMode: 'IPv4', IP: one.address },
          { Type: 'Bgp', IPMode: 'IPv4', IP: one.publicAddress },
        ],
      })),
    })
  },
}
