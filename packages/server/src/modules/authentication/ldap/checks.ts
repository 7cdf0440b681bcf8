/** Tests of entered settings, and of one sign-in with the saved ones. */
import { ldapMessages } from '@castellan/contract/messages/ldap'
import type { Context } from '../../../kernel/module/context.ts'
import { type Text, text } from '../../../kernel/module/errors.ts'
import { type DirectoryAccess, problemOf, savedAccess, withDirectory } from './connection.ts'
import { allUsers, basesOf, bindsAs, isFilter, isMapping, savedSearch, type UserSearch, userNamed } from './people.ts'

/** A result for the user: a sentence, and whether the test was passed. */
export interface Checked {
  readonly passed: boolean
  readonly said: Text
}

const failed = (said: Text): Checked => ({ passed: false, said })

/** Connects, binds and searches. */
export async function checkSettings(access: DirectoryAccess, search: UserSearch, isOn: boolean): Promise<Checked> {
  if (!isMapping(search.attributes)) return failed(text(ldapMessages.map_invalid))
  if (!isFilter(search.filter)) return failed(text(ldapMessages.filter_invalid))
  try {
    return await withDirectory(access, async (client) => {
      let count = 0
      for (const base of basesOf(search)) {
        const found = await allUsers(client, { ...search, bases: base })
        if (found.length === 0) return failed(text(ldapMessages.nobody_in, { ou: base }))
        count += found.length
      }
      if (count === 0) return failed(text(ldapMessages.nobody_in, { ou: search.bases }))
      if (!isOn) return failed(text(ldapMessages.not_enabled, { count }))
      return { passed: true, said: text(ldapMessages.test_passed, { count }) }
    })
  } catch (error) {
    return failed(problemOf(error))
  }
}

/** Whether a user could sign in. */
export async function checkSignIn(ctx: Context, username: string, password: string): Promise<Checked> {
  const search = savedSearch(ctx)
  if (!isMapping(search.attributes)) return failed(text(ldapMessages.map_invalid))
  if (!isFilter(search.filter)) return failed(text(ldapMessages.filter_invalid))
  try {
    return await withDirectory(savedAccess(ctx), async (client) => {
      const found = await userNamed(client, search, username)
      const isRight = found?.isActive === true && (await bindsAs(client, found.dn, password))
      return isRight
        ? { passed: true, said: text(ldapMessages.login_passed, { username: found.username }) }
        : failed(text(ldapMessages.login_failed))
    })
  } catch (error) {
    return failed(problemOf(error))
  }
}
