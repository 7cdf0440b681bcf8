/** The questions every page begins with, which are asked before anybody knows who is signed in. */
import { defaultOrgId } from '@castellan/contract/ids'
import { readCookie } from './cookies.ts'

export const profilePath = '/api/v1/users/profile/'
export const settingsPath = '/api/v1/settings/public/'

/** The organization they are asked for: the one worked in last, else the one the server takes where none is named. */
export const openingOrganization = (): string => readCookie('X-JMS-ORG') ?? defaultOrgId

/** Their answers, where they were asked before the rest of the page was there; the first call takes one. */
export const askedEarly = new Map<string, Promise<Response>>()
