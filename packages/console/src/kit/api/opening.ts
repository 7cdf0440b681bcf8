/** Requests every page starts with, sent before the user is known. */
import { defaultOrgId } from '@castellan/contract/ids'
import { readCookie } from '../../browser/cookies.ts'

export const profilePath = '/api/v1/users/profile/'
export const settingsPath = '/api/v1/settings/public/'

/** Their organization: the last selected one, otherwise the server's default. */
export const openingOrganization = (): string => readCookie('X-JMS-ORG') ?? defaultOrgId

/** Their responses, if requested before the page was loaded. The first caller takes each one. */
export const askedEarly = new Map<string, Promise<Response>>()
