/** Identifiers shared by all installations. */
const fixed = (last: string) => `00000000-0000-0000-0000-${last.padStart(12, '0')}`

export const rootOrgId = fixed('0')
export const defaultOrgId = fixed('2')
export const systemOrgId = fixed('4')

export const roleIds = {
  systemAdmin: fixed('1'),
  systemAuditor: fixed('2'),
  user: fixed('3'),
  systemComponent: fixed('4'),
  orgAdmin: fixed('5'),
  orgAuditor: fixed('6'),
  orgUser: fixed('7'),
} as const

export const defaultEndpointId = fixed('1')
